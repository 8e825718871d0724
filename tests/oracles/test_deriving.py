"""Which of the lines that a command prints is the failure, and what counts as another one."""

from __future__ import annotations

from minrepro.core.invocations import ProcessEnd
from minrepro.oracles.deriving import Observed, Possible, failure_of, possible_failures
from minrepro.oracles.diagnostics import Context
from minrepro.oracles.failure import FailureSpec

NAME = "plan.txt"


def ended(text: str, status: int = 1) -> ProcessEnd:
    return ProcessEnd(status, 0.1, text.encode(), b"")


def derived(content: str, *printed: str) -> tuple[Possible, FailureSpec]:
    seen = Observed([ended(text) for text in printed], {"empty": ended("", 0)})
    context = Context.of(content.encode(), [NAME])
    chosen = possible_failures(seen, context)[0]
    return chosen, failure_of(seen, chosen, context)


def test_where_the_failure_is_a_warning_another_warning_is_another_failure() -> None:
    warning = "plan.txt:3: warning: the depot is empty\n"
    _, failure = derived("depot\n", warning, warning)
    assert failure.difference(ended("plan.txt:1: warning: the depot is empty\n")) == ""
    assert "another error" in failure.difference(ended(warning + "plan.txt:1: warning: nobody is there\n"))


def test_where_the_failure_is_a_note_a_warning_is_another_failure() -> None:
    note = "   ^----^ SC2086 (info): Double quote to prevent globbing.\n"
    _, failure = derived("rm $files\n", note, note)
    assert failure.difference(ended(note)) == ""
    assert failure.difference(ended(note + "   ^----^ SC2154 (warning): files is referenced but not assigned.\n"))


def test_beside_an_error_any_warning_may_appear() -> None:
    error = "plan.txt:3: error: no such depot\n"
    _, failure = derived("depot\n", error, error)
    assert failure.difference(ended(error + "plan.txt:1: warning: nobody is there\n")) == ""


def test_a_list_that_is_printed_in_another_order_each_time_is_the_same_failure() -> None:
    printed = ["unknown in depot: pear, plum, fig, lime\n", "unknown in depot: lime, fig, plum, pear\n"]
    chosen, failure = derived("depot: pear plum fig lime\n", *printed)
    assert chosen.shown == printed[0].strip()
    assert [failure.difference(ended(text)) for text in printed] == ["", ""]
    assert failure.difference(ended("unknown in garden: lime, fig, plum, pear\n"))


def test_what_is_said_to_be_ignored_is_not_the_failure() -> None:
    printed = "plan.txt:2: Unknown key 'Speed', ignoring.\nplan.txt: the depot is not there\n"
    chosen, failure = derived("Speed=1\ndepot=x\n", printed, printed)
    assert chosen.shown == "plan.txt: the depot is not there"
    assert failure.difference(ended("plan.txt: the depot is not there\n")) == ""


def test_a_list_in_any_third_order_is_the_same_failure_too() -> None:
    printed = ["unknown: pear, plum, fig, lime\n", "unknown: pear, fig, plum, lime\n"]
    _, failure = derived("pear plum fig lime\n", *printed)
    assert failure.difference(ended("unknown: lime, plum, fig, pear\n")) == ""
    assert failure.difference(ended("unknown: fig\n")) == ""
    assert failure.difference(ended("unknown: fig, apple\n"))


def test_a_path_that_the_input_names_counts_as_a_whole() -> None:
    printed = "plan.txt: Command /opt/depot/bin/run is not executable\n"
    seen = Observed([ended(printed)] * 2, {"empty": ended("", 0)})
    context = Context.of(b"Run=/opt/depot/bin/run\n", [NAME]).seeing([printed.encode()] * 2)
    failure = failure_of(seen, possible_failures(seen, context)[0], context)
    assert failure.difference(ended(printed)) == ""
    assert failure.difference(ended("plan.txt: Command /run is not executable\n"))


def test_a_path_that_the_input_does_not_name_may_be_another() -> None:
    printed = "/opt/one/depot: error: no such stop 'north'\n"
    _, failure = derived("stop north\n", printed, printed)
    assert failure.difference(ended("/opt/two/depot: error: no such stop 'north'\n")) == ""


def test_where_a_program_breaks_down_warnings_that_it_may_do_anything_are_errors() -> None:
    broken = "van: van.c:9: load: Assertion `weight < 30' failed.\n"
    _, failure = derived("assert(weight < 30);\n", broken, broken)
    assert failure.difference(ended("van.c:3: warning: unused variable 'a' [-Wunused]\n" + broken)) == ""
    for warning in ("control reaches end of non-void function", "'return' with no value, in function"):
        assert failure.difference(ended(f"van.c:3: warning: {warning}\n{broken}"))


def test_that_there_are_too_many_warnings_is_not_what_they_say() -> None:
    printed = "  7:9  warning  'width' is never used  no-unused-vars\n\nplanner found too many warnings (maximum: 0).\n"
    chosen, _ = derived("width = 3\n", printed, printed)
    assert chosen.shown == "7:9 warning 'width' is never used no-unused-vars"


def told_at(line: int, column: int) -> ProcessEnd:
    return ended(f"Expecting value: line {line} column {column} (char 7)\n")


def test_what_the_empty_input_shows_at_its_beginning_is_a_failure_at_another_place() -> None:
    seen = Observed([told_at(5, 3), told_at(5, 3)], {"empty": told_at(1, 1)})
    context = Context.of(b"[1,\n2,\n3,\n4,\n  x]", [NAME])
    failure = failure_of(seen, possible_failures(seen, context)[0], context)
    assert [failure.difference(told_at(*place)) for place in [(5, 3), (1, 2)]] == ["", ""]
    assert failure.difference(told_at(1, 1))


def test_what_the_empty_input_shows_in_another_time_is_not_the_failure() -> None:
    seen = Observed([ended("error: no depot, 0.21 s\n")] * 2, {"empty": ended("error: no depot, 0.13 s\n")})
    assert possible_failures(seen, Context.of(b"depot\n", [NAME])) == []


def test_an_exception_is_found_where_a_test_runner_indents_it_above_a_comparison() -> None:
    printed = """\
  1) depot
       is clamped:

      AssertionError [ERR_ASSERTION]: the depot is beyond the limit
      + expected - actual

      -false
      +true

      at Context.<anonymous> (plan.txt:60:12)
"""
    chosen, failure = derived("the depot is beyond the limit\n", printed, printed)
    assert chosen.shown == "AssertionError [ERR_ASSERTION]: the depot is beyond the limit"
    assert failure.difference(ended(printed.replace("the depot is", "no depot is")))


def test_where_a_recipe_fails_without_a_word_its_name_is_the_failure() -> None:
    printed = ended("make: *** [plan.txt:5: depot] Error 1\n", 2)
    seen = Observed([printed, printed], {"empty": ended("make: *** No targets.  Stop.\n", 2), "second half": printed})
    context = Context.of(b"depot:\n\tfalse\n", [NAME])
    chosen = possible_failures(seen, context)[0]
    assert chosen.shown == "make: *** [plan.txt:5: depot] Error 1"
    assert failure_of(seen, chosen, context).difference(ended("make: *** [plan.txt:2: barn] Error 1\n", 2))


def test_an_echo_of_the_input_above_a_caret_is_not_the_message() -> None:
    printed = "gawk: plan.txt:3: END { print foo( }\ngawk: plan.txt:3:                  ^ syntax error\n"
    chosen, _ = derived("END { print foo( }\n", printed, printed)
    assert chosen.shown == "gawk: plan.txt:3: ^ syntax error"


def test_stars_around_a_title_do_not_make_it_an_error() -> None:
    printed = "************* Module depot\nplan.txt:3:4: E1101: Instance of 'str' has no 'appendd' member (no-member)\n"
    chosen, _ = derived("name.appendd(1)\n", printed, printed)
    assert "no 'appendd' member" in chosen.shown
