"""Which replays can be trusted: what survives a quick reset, a server with state, a failure that shows sometimes."""

from __future__ import annotations

from pathlib import Path

import pytest

from minrepro.browser.chromium import Chromium
from minrepro.browser.page_failures import PageFailure
from minrepro.browser.recorder_schema import RecorderStep
from minrepro.browser.recording import Recording, of_steps
from minrepro.browser.replay_page import ReplayPage
from minrepro.browser.session_reduction import reduce_session
from minrepro.browser.session_replay import AfterEvent, Observation, Replayer
from minrepro.core.events import Accepted, RunEvent, Warned
from minrepro.errors import InputError
from minrepro.settings import Budget
from minrepro.traces.app_replay import ReplayEnd
from minrepro.traces.user_events import Trace
from tests.browser.pages import Open, click, page

__all__ = ["page"]

CACHING = """<button id=a onclick="fetch('data.txt')">a</button><button id=b onclick="old()">b</button><i>i</i>
<script>async function old() {
  const found = await fetch('data.txt', { cache: 'only-if-cached', mode: 'same-origin' }).catch(() => null);
  if (found && found.ok) throw Error('it is in the cache');
}</script>"""
COUNTING = """<i>i</i><button onclick="go()">b</button>
<script>document.write(`<script src="count.js?${Math.random()}"><` + '/script>');
function go() { if (window.count % 4) throw Error('sometimes') }</script>"""


def test_what_survives_a_quick_reset_is_found_out_and_the_result_fails_on_its_own(
    chromium: Chromium, page: Open
) -> None:
    recording = page(CACHING, click("i"), click("#a"), click("i"), click("#b"), data_txt="x")
    replayer = Replayer(chromium, recording)
    assert replayer.choose().text == "Error: it is in the cache"
    told: list[RunEvent] = []
    found = reduce_session(replayer, jobs=1, notify=told.append)
    assert [event.name for event in found.result.trace] == ["click #a", "click #b"]
    assert any(isinstance(notice, Warned) and "fresh context" in notice.text for notice in told)
    assert replayer.always_fresh
    replayer.close()


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_each_phase_ends_with_is_seen_failing_in_a_fresh_context(
    chromium: Chromium, page: Open, jobs: int
) -> None:
    html = (
        "<i>i</i><b>b</b><button id=a onclick='ready = 1'>a</button><button id=c onclick='ready && null.x'>c</button>"
    )
    recording = page(html, *(click("i"), click("b")) * 3, click("#a"), *(click("i"), click("b")) * 5, click("#c"))
    replayer = Noting(chromium, recording)
    replayer.choose()
    ended: dict[str, Trace] = {}

    def hear(notice: RunEvent) -> None:
        if isinstance(notice, Accepted) and notice.label != "input":
            ended[notice.label] = notice.case

    found = reduce_session(replayer, jobs=jobs, notify=hear)
    assert [event.name for event in found.result.trace] == ["click #a", "click #c"]
    assert 0 < found.confirmed == len(ended)
    for trace in ended.values():
        assert any(trace[: len(failed)] == failed for failed in replayer.failed_afresh)
    replayer.close()


def test_what_a_reduction_took_is_counted_with_all_replays_and_opened_pages(chromium: Chromium, page: Open) -> None:
    recording = page("<i>i</i><button onclick='null.x'>b</button>", *[click("i")] * 9, click("button"))
    replayer = Replayer(chromium, recording)
    replayer.choose()
    found = reduce_session(replayer)
    assert len(found.result.trace) == 1
    assert found.all_replays > found.result.run.tally.tests
    assert found.all_replays <= found.pages_opened <= found.all_replays + 2
    assert found.result.events_fired >= len(recording.trace) + found.result.run.tally.tests
    replayer.close()


class Noting(Replayer):
    """Keeps all sessions that failed in a fresh context."""

    def __init__(self, chromium: Chromium, recording: Recording) -> None:
        super().__init__(chromium, recording)
        self.failed_afresh: list[Trace] = []

    async def _played(self, tab: ReplayPage, trace: Trace, fresh: bool, after: AfterEvent, stop: bool) -> Observation:
        seen = await super()._played(tab, trace, fresh, after, stop)
        if seen.fresh and seen.failures:
            self.failed_afresh.append(trace[: seen.seen[0][0]])
        return seen


@pytest.fixture
def counting(tmp_path: Path) -> str:
    """A command that makes the page load another number each time."""
    script = tmp_path / "reset.sh"
    count = tmp_path / "site" / "count.js"
    script.write_text(f"n=$(sed 's/[^0-9]//g' {count}); echo \"window.count = $((n + 1))\" > {count}\n")
    return f"sh {script}"


def test_how_often_a_failure_shows_is_measured_first_and_told(chromium: Chromium, page: Open, counting: str) -> None:
    recording = page(COUNTING, click("i"), click("button"), click("i"), count_js="window.count = 1")
    replayer = Replayer(chromium, recording, reset_command=counting)
    replayer.choose()
    told: list[RunEvent] = []
    found = reduce_session(replayer, jobs=1, repeat=4, notify=told.append, budget=Budget(tests=2))
    assert (found.failed, found.replays) == (8, 10)
    assert any(isinstance(notice, Warned) and "8 of 10 replays" in notice.text for notice in told)
    replayer.close()


class Sometimes(Replayer):
    """Shows the failure of `button` in all but each fourth replay from a fresh start, without a browser."""

    def __init__(self, recording: Recording) -> None:
        super().__init__(Chromium.__new__(Chromium), recording)
        self.failure, self.signature, self.showed_at = PageFailure("error", "x"), "error: x", 2
        self.fresh_replays = 0

    def open_ahead(self, pages: int) -> None:
        """Open nothing."""

    def ending(self, trace: Trace, fresh: bool) -> ReplayEnd:
        self.fresh_replays += fresh
        names = [event.name for event in trace]
        if "click button" not in names or (fresh and self.fresh_replays % 4 == 1):
            return ReplayEnd(len(trace))
        return ReplayEnd(names.index("click button") + 1, "error: x")


def test_a_failure_found_to_show_in_some_replays_only_is_reduced_by_repeats_and_its_rate_is_stated() -> None:
    opening: RecorderStep = {"type": "navigate", "url": "http://127.0.0.1:1/"}
    replayer = Sometimes(of_steps([opening, *(click("i"), click("button"), click("b")) * 3], {}, "recording"))
    found = reduce_session(replayer, jobs=1)
    assert 0 < found.failed < found.replays
    assert [event.name for event in found.result.trace] == ["click button"]
    assert found.measured is not None
    assert found.measured.runs > found.measured.hits > found.measured.runs / 2


def test_a_command_brings_the_server_back_before_each_replay(chromium: Chromium, page: Open, tmp_path: Path) -> None:
    html = "<script src='state.js'></script><i>i</i><button onclick='if (window.clean) null.x'>b</button>"
    recording = page(html, click("i"), click("button"), state_js="window.clean = false")
    state = tmp_path / "site" / "state.js"
    reset = tmp_path / "reset.sh"
    reset.write_text(f"echo 'window.clean = true' > {state}; echo once >> {tmp_path / 'runs'}\n")
    replayer = Replayer(chromium, recording, reset_command=f"sh {reset}")
    replayer.choose()
    found = reduce_session(replayer, jobs=2)
    assert [event.name for event in found.result.trace] == ["click button"]
    runs = len((tmp_path / "runs").read_text().splitlines())
    assert runs >= found.all_replays >= 2  # one at least to see the failure, one to see it in the result
    replayer.close()


@pytest.mark.parametrize(("command", "said"), [("sh -c 'echo no >&2; exit 3'", "status 3: no"), ("no-such", "failed")])
def test_a_reset_command_that_does_not_work_is_explained(
    chromium: Chromium, page: Open, command: str, said: str
) -> None:
    replayer = Replayer(chromium, page("<i>i</i>", click("i")), reset_command=command)
    with pytest.raises(InputError, match=said):
        replayer.choose()
    replayer.close()
