from __future__ import annotations

import json
import re

import pytest

from minrepro.traces.json_lines import write
from minrepro.traces.user_events import Entry
from tests.cli.command_line import CommandLine, processes_in
from tests.traces.cart import FAILING, FIGURE_2

REPLAY = """\
import json, sys
opened, items = False, []
for number, line in enumerate(open(sys.argv[1]), 1):
    record = json.loads(line)
    name, args = record["event"], record.get("args", [])
    if name == "open": opened = True
    elif not opened or (name == "delete" and args[0] not in items):
        print("minrepro: event", number); sys.exit(125)
    elif name == "add": items.append(args[0])
    elif name == "delete": items.remove(args[0])
    elif items: items = []
    else:
        print("minrepro: event", number); sys.exit(0)
sys.exit(1)
"""


@pytest.fixture
def cart(shell: CommandLine) -> CommandLine:
    """Return a command line with the shopping cart's log, its failing trace and its replay."""
    shell.write("good.jsonl", write(FIGURE_2.entries))
    shell.write("failing.jsonl", write(Entry(event, None) for event in FAILING))
    shell.write("replay.py", REPLAY)
    return shell


def test_rules_are_mined_and_shown(cart: CommandLine) -> None:
    done = cart.run("traces", "rules", "good.jsonl", "--confidence", "0.5")
    assert done.status == 0
    assert "[add(i); delete(i)] ≡ []" in done.stdout


def test_a_rule_is_explained_by_its_log_lines(cart: CommandLine) -> None:
    done = cart.run("traces", "rules", "good.jsonl", "--evidence", "[add(i); delete(i)] ~ []")
    witness = "for      good.jsonl:7: add(3); delete(3)\n         (nothing)\n"
    assert done.stdout == f"[add(i); delete(i)] ≡ []   (1, 0)\n{witness}"


def test_mined_rules_rewrite_a_trace(cart: CommandLine) -> None:
    cart.run("traces", "rules", "good.jsonl", "--confidence", "0.5", "-o", "cart.rules")
    done = cart.run("traces", "rewrite", "failing.jsonl", "--rules", "cart.rules")
    assert done.stdout == '{"event": "open"}\n{"event": "empty"}\n'
    explained = cart.run("traces", "rewrite", "failing.jsonl", "--rules", "cart.rules", "--explain")
    assert "    1  - add(1)" in explained.stdout


def test_a_failing_trace_is_reduced_by_replays(cart: CommandLine) -> None:
    words = ("traces", "reduce", "python3 replay.py", "failing.jsonl", "--logs", "good.jsonl", "--confidence", "0.5")
    done = cart.run(*words, "--state-drop", "C", "--json", "--explain", "-j", "1")
    assert done.status == 0
    assert (cart.folder / "failing.min.jsonl").read_text() == '{"event": "open"}\n{"event": "empty"}\n'
    summary = json.loads(done.stdout.splitlines()[-1])
    assert (summary["events_before"], summary["events_after"], summary["finished"]) == (8, 2, True)
    assert "unresolved without it" in done.stdout
    cart.assert_nothing_is_left()


def test_a_reduction_of_a_trace_is_reported_at_its_end_and_from_its_journal(cart: CommandLine) -> None:
    words = ("traces", "reduce", "python3 replay.py", "failing.jsonl", "-q")
    assert cart.run(*words, "--report", "at.md", "--report", "at.html").status == 0
    told = (cart.folder / "at.md").read_text()
    assert "Save this as `failing.jsonl` and run `python3 replay.py failing.jsonl`" in told
    assert (cart.folder / "failing.min.jsonl").read_text() in told
    assert f"{len(FAILING)} → 2 events in " in told
    assert "does not reproduce without it" in told
    assert cart.run("report", "failing.jsonl.minrepro", "-o", "later.md", "-o", "later.html").status == 0
    assert (cart.folder / "failing.min.jsonl").read_text() in (cart.folder / "later.md").read_text()
    for page in ("at.html", "later.html"):
        data = (cart.folder / page).read_text().partition('id="data">')[2].partition("</script>")[0]
        shown = json.loads(data)
        assert (shown["unit"], shown["size_before"], shown["size_after"]) == ("events", len(FAILING), 2)
        assert (shown["curve"][0]["size"], shown["curve"][-1]["size"]) == (len(FAILING), 2)
    refused = cart.run("report", "failing.jsonl.minrepro", "--explain")
    assert (refused.status, refused.stderr.splitlines()[0]) == (
        2,
        "minrepro: error: --explain: a journal does not tell why events were removed",
    )


@pytest.mark.parametrize("algorithm", ["rddmin", "ddmin", "grouping"])
def test_other_algorithms_can_be_chosen(cart: CommandLine, algorithm: str) -> None:
    done = cart.run("traces", "reduce", "python3 replay.py", "failing.jsonl", "--algorithm", algorithm, "-o", "out")
    assert done.status == 0
    assert (cart.folder / "out").read_text() == '{"event": "open"}\n{"event": "empty"}\n'


def test_a_trace_is_reduced_on_a_cluster_as_it_is_here(cart: CommandLine) -> None:
    words = ("traces", "reduce", "python3 replay.py", "failing.jsonl", "--json")
    here = cart.run(*words, "-o", "here", "-j", "1")
    there = cart.run(*words, "-o", "there", "--cluster", "local:1", "--cluster-timeout", "20")
    assert there.status == 0, there.stderr
    assert (cart.folder / "there").read_text() == '{"event": "open"}\n{"event": "empty"}\n'
    told = [json.loads(done.stdout) for done in (here, there)]
    for name in ("finished", "kept", "checks", "cache_hits", "events_fired"):
        assert told[0][name] == told[1][name], name  # where a replay stopped is known there as it is here
    assert processes_in(cart.temporary) == []


def test_a_check_that_says_no_event_works_too(cart: CommandLine) -> None:
    cart.write("silent.py", REPLAY.replace('print("minrepro: event", number); ', ""))
    done = cart.run("traces", "reduce", "python3 silent.py", "failing.jsonl", "-o", "out")
    assert done.status == 0
    assert (cart.folder / "out").read_text() == '{"event": "open"}\n{"event": "empty"}\n'


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("rules", "missing.jsonl"), "minrepro: error: cannot read missing.jsonl"),
        (("rules", "empty.jsonl"), "minrepro: error: empty.jsonl is empty"),
        (("rules", "failing.jsonl"), "minrepro: error: failing.jsonl:1: no state after open"),
        (("rules", "good.jsonl", "--state-drop", "X"), "minrepro: error: no logged state has a variable 'X'"),
        (("rules", "good.jsonl", "--state-map", "N=size"), "minrepro: error: unknown map 'size'"),
        (
            ("rules", "good.jsonl", "--evidence", "[ad(i)] ~ []"),
            "minrepro: error: no log has an event 'ad'\nhint: did you mean 'add'",
        ),
        (("rewrite", "failing.jsonl", "--rules", "broken.rules"), "minrepro: error: broken.rules:2:5: expected"),
        (("rewrite", "failing.jsonl", "--rules", "endless.rules"), "minrepro: error: endless.rules:1:"),
        (("rewrite", "failing.jsonl", "--rules", "both.rules"), "minrepro: error: both.rules:1 and both.rules:2"),
        (("rewrite", "empty.jsonl"), "minrepro: error: empty.jsonl has no events"),
        (
            ("reduce", "false", "failing.jsonl"),
            "minrepro: error: false does not reproduce the failure on failing.jsonl: exit 1",
        ),
        (("reduce", "./none.sh", "failing.jsonl"), "minrepro: error: the check"),
        (
            ("reduce", "true", "failing.jsonl", "-o", "failing.jsonl"),
            "minrepro: error: the result would overwrite the trace failing.jsonl",
        ),
    ],
)
def test_bad_input_is_told_in_a_line_or_two(cart: CommandLine, words: tuple[str, ...], message: str) -> None:
    cart.write("empty.jsonl", "")
    cart.write("broken.rules", "# first\n[a] = []\n")
    cart.write("endless.rules", "[add(i)] ≡ [delete(i)]\n")
    cart.write("both.rules", "[add(i); empty] ≡ []\n[add(i); empty] ≡ [empty]\n")
    done = cart.run("traces", *words)
    assert done.status == (1 if "does not reproduce the failure" in message else 2)
    assert re.sub(r"^minrepro: input: 8 events.*\n", "", done.stderr).startswith(message)
    assert "Traceback" not in done.stderr


def test_rules_about_other_events_are_warned_of(cart: CommandLine) -> None:
    cart.write("typo.rules", "[ad(i)] ≡ []\n")
    done = cart.run("traces", "rewrite", "failing.jsonl", "--rules", "typo.rules")
    assert "warning: no rule applies to an event of this trace" in done.stderr


def test_a_replay_that_hangs_counts_as_unresolved(cart: CommandLine) -> None:
    cart.write("slow.py", REPLAY.replace("sys.exit(125)", "import time; time.sleep(3600)"))
    words = ("traces", "reduce", "python3 slow.py", "failing.jsonl", "-o", "out", "--timeout", "5")
    done = cart.run(*words, "--logs", "good.jsonl", "--confidence", "0.5", "--keep-arguments")
    assert done.status == 0
    assert (cart.folder / "out").read_text() == '{"event": "open"}\n{"event": "empty"}\n'
    cart.assert_nothing_is_left()
