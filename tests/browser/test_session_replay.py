"""Replay in a real browser: what is noticed, what is not waited for, how pages and frames are found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from minrepro.browser import replay_page
from minrepro.browser.chromium import Chromium
from minrepro.browser.recorder_schema import RecorderStep
from minrepro.browser.recording import Recording, of_steps
from minrepro.browser.session_replay import Observation, Replayer
from minrepro.browser.static_server import served
from minrepro.core.verdicts import Outcome
from minrepro.errors import InputError, NotFailing
from tests.browser.pages import observed

Open = Callable[..., Recording]


def click(selector: str | list[str], **more: object) -> RecorderStep:
    return {"type": "click", "selectors": [selector], "anywhere": True, **more}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    folder = tmp_path_factory.mktemp("pages")
    with served(folder) as origin:
        yield folder, origin


@pytest.fixture
def page(pages: tuple[Path, str], request: pytest.FixtureRequest) -> Open:
    """Makes a page of some HTML, and the recording of steps in it."""

    def make(html: str, *steps: RecorderStep) -> Recording:
        folder, origin = pages
        name = f"{abs(hash(request.node.name))}.html"
        (folder / name).write_text(f"<!doctype html><link rel=icon href=data:,>{html}", encoding="utf-8")
        return of_steps([{"type": "navigate", "url": f"{origin}/{name}"}, *steps], {}, name)

    return make


@pytest.mark.parametrize(
    ("action", "signature"),
    [
        ("null.x", "error: TypeError: Cannot read properties of null (reading 'x') in HTMLButtonElement.onclick"),
        ("Promise.reject(new Error('later 7'))", "error: Error: later # in HTMLButtonElement.onclick"),
        ("setTimeout(() => { throw new Error('late') }, 20)", "error: Error: late"),
        ("console.error('oh 5')", "console: oh #"),
        ("alert('sure?')", "dialog: alert: sure?"),
        ("fetch('', {method: 'POST'})", "http: # from POST URL"),
    ],
)
def test_what_goes_wrong_is_noticed(chromium: Chromium, page: Open, action: str, signature: str) -> None:
    seen = observed(chromium, page(f'<button onclick="{action}">b</button>', click("button")))
    assert [(number, failure.signature.removesuffix(" in onclick")) for number, failure in seen.seen] == [
        (1, signature.replace(" in HTMLButtonElement.onclick", ""))
    ]


def test_a_page_that_hangs_is_a_failure_and_the_next_replay_is_well(chromium: Chromium, page: Open) -> None:
    recording = page("<button onclick='for (;;) ;'>b</button><i>i</i>", click("button"))
    seen = observed(chromium, recording, hang=6.0)
    assert [failure.kind for failure in seen.failures] == ["hang"]
    assert observed(chromium, page("<i>i</i>", click("i"))).seen == []


def test_a_predicate_decides_where_nothing_is_thrown(chromium: Chromium, page: Open) -> None:
    recording = page("<button onclick='this.textContent += 1'>0</button>", click("button"), click("button"))
    replayer = Replayer(chromium, recording, predicate="document.querySelector('button').textContent === '011'")
    assert replayer.choose().kind == "predicate"
    assert replayer.judge(recording.trace[:1]).outcome is Outcome.PASS
    replayer.close()


@pytest.mark.parametrize("ahead", [0, 1, 2])
def test_nothing_survives_the_quick_reset(chromium: Chromium, page: Open, ahead: int) -> None:
    html = """<button onclick="if (localStorage.n || window.name || document.cookie) throw Error('old');
      window.name = 'n'">b</button><i onclick="throw Error('x')">i</i>
      <script>addEventListener('pagehide', () => { localStorage.n = 1; document.cookie = 'c=1' })</script>"""
    recording = page(html, click("button"), click("i"))
    replayer = Replayer(chromium, recording)
    assert replayer.choose().text == "Error: x"
    if ahead:
        replayer.open_ahead(ahead)
    for _ in range(5):
        assert replayer.judge(recording.trace).reason.startswith("event 2: error: Error: x")
    replayer.close()


def test_a_page_that_was_opened_long_before_it_is_needed_is_opened_anew(
    chromium: Chromium, page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    html = "<button onclick=\"throw Error(window.late ? 'late' : 'in time')\">b</button>"
    recording = page(html, click("button"))
    replayer = Replayer(chromium, recording)
    replayer.choose()
    replayer.open_ahead(1)

    def late(limit: float) -> str:
        """Return what is thrown in a page that has been open for a while, when it is good for so many seconds."""
        monkeypatch.setattr(replay_page, "_PREPARED_FOR", limit)
        opened = replayer.new_tab()

        async def waited() -> Observation:
            opened.prepare()
            await opened.reset()
            opened.prepare()
            assert opened._preparation is not None and opened.page is not None
            await opened._preparation
            await opened.page.evaluate("window.late = true")
            seen = await replayer.begun(opened, fresh=False)
            await replayer.stepped(opened, seen, recording.trace[0], last=True)
            await opened.drop()
            return seen

        return chromium.run(waited()).failures[0].text

    assert late(1000.0) == "Error: late"
    assert late(0.0) == "Error: in time"
    replayer.close()


def test_a_page_that_the_browser_refuses_to_bring_back_is_opened_in_a_fresh_context(
    chromium: Chromium, page: Open
) -> None:
    recording = page("<button onclick='null.x'>b</button>", click("button"))
    replayer = Replayer(chromium, recording)
    replayer.choose()
    opened = replayer.new_tab()

    async def refused() -> None:
        """Bring the page back with a session of the browser's that answers every question with an error."""
        assert await opened.reset() and not await opened.reset()
        assert opened._cdp is not None
        await opened._cdp.detach()
        assert await opened.reset()

    chromium.run(refused())
    chromium.run(opened.drop())
    replayer.close()


def test_frames_shadow_roots_and_all_kinds_of_selectors_are_found(chromium: Chromium, page: Open) -> None:
    html = """<iframe srcdoc="<button onclick='parent.note(1)'>in a frame</button>"></iframe><div id=host></div>
      <p><label>Name <input id=n></label> <button aria-label="Do it" onclick="note(3)">x</button>
      <a href="#" onclick="note(4)">A link</a></p><script>
      window.seen = []; window.note = (n) => { seen.push(n); if (seen.length === 6) throw Error(seen.join()) };
      document.getElementById('host').attachShadow({mode: 'open'}).innerHTML = '<button>s</button>';
      host.shadowRoot.querySelector('button').onclick = () => note(2);</script>"""
    recording = page(
        html,
        click("button", frame=[0]),
        click(["#host", "button"]),
        click('aria/Do it[role="button"]'),
        click("text/A link"),
        {"type": "click", "selectors": ["#gone", "xpath///a"], "anywhere": True},
        click("pierce/#host"),
        click("pierce/button"),
    )
    assert [failure.text for failure in observed(chromium, recording).failures] == ["Error: 1,2,3,4,4,2"]


def test_texts_choices_drags_and_pastes_are_real(chromium: Chromium, page: Open) -> None:
    html = """<input id=i><select id=s><option>a<option>b</select><div id=e contenteditable>old</div>
      <div id=d style="width:50px;height:50px">d</div><div id=t style="width:50px;height:50px">t</div><script>
      d.onmousedown = () => { window.began = true }; t.onmouseup = () => {
        throw Error([i.value, s.value, e.textContent, window.began].join()) }</script>"""
    recording = page(
        html,
        {"type": "change", "selectors": ["#i"], "value": "tea"},
        {"type": "change", "selectors": ["#s"], "value": "b"},
        {"type": "change", "selectors": ["#e"], "value": "new"},
        {"type": "customStep", "name": "paste", "parameters": {"text": "er"}},
        {"type": "customStep", "name": "drag", "parameters": {"from": ["#d"], "to": ["#t"]}},
    )
    assert [failure.text for failure in observed(chromium, recording).failures] == ["Error: tea,b,newer,true"]


def test_a_page_that_navigates_asks_on_unload_and_never_rests_is_replayed_all_the_same(
    chromium: Chromium, page: Open
) -> None:
    html = """<a href="?again">a</a><button onclick="throw Error(location.search)">b</button><script>
      addEventListener('beforeunload', (event) => event.preventDefault());
      const spin = () => requestAnimationFrame(spin); spin(); setInterval(() => 0, 1);</script>"""
    seen = observed(chromium, page(html, click("a"), click("button")))
    assert [failure.text for failure in seen.failures] == ["Error: ?again"]


def test_an_address_that_cannot_be_reached_and_a_session_that_does_not_fail_are_explained(
    chromium: Chromium, page: Open
) -> None:
    nowhere = of_steps([{"type": "navigate", "url": "http://127.0.0.1:9/"}, click("b")], {}, "nowhere")
    with pytest.raises(InputError, match="cannot open"):
        observed(chromium, nowhere)
    well = Replayer(chromium, page("<b>b</b>", click("b")))
    with pytest.raises(NotFailing, match="no failure in a replay"):
        well.choose()
    well.close()


def test_names_are_those_of_the_accessibility_tree(chromium: Chromium, page: Open) -> None:
    html = """<span id=a>Delete</span> <span id=b>row two</span>
    <div role=button aria-labelledby="b a" onclick="null.x">x</div><button title=Delete>other</button>"""
    recording = page(html, {"type": "click", "selectors": ['aria/row two Delete[role="button"]'], "anywhere": True})
    assert [failure.kind for failure in observed(chromium, recording).failures] == ["error"]


def test_a_failure_from_a_timer_is_waited_for_and_a_pending_timer_is_told(chromium: Chromium, page: Open) -> None:
    late = page("<button onclick='setTimeout(() => null.x, 900)'>b</button>", click("button"))
    replayer = Replayer(chromium, late)
    assert replayer.choose().kind == "error"
    replayer.close()
    never = page("<button onclick='setTimeout(() => null.x, 90000)'>b</button>", click("button"))
    replayer = Replayer(chromium, never)
    with pytest.raises(NotFailing, match="a timer of 90 s was pending"):
        replayer.choose()
    replayer.close()


def test_a_login_comes_before_each_replay_and_is_no_part_of_the_session(chromium: Chromium, page: Open) -> None:
    html = (
        "<script>document.write(localStorage.who ? '<button onclick=null.x>b</button>' : '<input><i>in</i>')</script>"
    )
    login = page(html, {"type": "change", "selectors": ["input"], "value": "ann"}, click("i"))
    session = page(html.replace("<i>", "<i onclick=localStorage.who=1>"), click("button")).after(login)
    assert len(session.trace) == 1
    seen = observed(chromium, session)
    assert [failure.kind for failure in seen.failures] == ["error"]
    assert "ann" not in session.text()


def test_where_a_replay_diverges_the_page_is_told_and_shown(chromium: Chromium, page: Open) -> None:
    seen = observed(chromium, page("<p>Log in \x1b[31mfirst", click("#gone")))
    assert seen.impossible.startswith("no element #gone")
    assert "shows: Log in" in seen.instead
    assert seen.picture
