"""Records each interaction in a window, replays it, exports it to each tool and runs that; tells what was right."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from minrepro.browser import export_check
from minrepro.browser.chromium import Chromium
from minrepro.browser.exports import LANGUAGES, export
from minrepro.browser.live_recorder import Recorder
from minrepro.browser.recording import Recording, parse
from minrepro.browser.session_replay import Replayer
from minrepro.browser.static_server import served
from minrepro.errors import MinreproError
from tests.browser.interactions.hands import INTERACTIONS, Hands

PAGES = Path(__file__).parent


@contextmanager
def pages(folder: Path) -> Iterator[tuple[str, str]]:
    """Serve the widgets with the bug, and in another folder without it; the values are both origins."""
    for path in PAGES.glob("*.html"):
        text = path.read_text(encoding="utf-8").replace("throw new Error(", "void (")
        (folder / path.name).write_text(text, encoding="utf-8")
    with served(PAGES) as broken, served(folder) as fixed:
        yield broken, fixed


async def recorded(
    chromium: Chromium, origin: str, names: Sequence[str], *, passwords: bool = True
) -> tuple[Recording, str]:
    """Return what was recorded while a person did some interactions, and the error in which it ended."""
    recorder = Recorder(f"{origin}/page.html?only={','.join(names)}", passwords=passwords)
    page = await recorder.open(chromium)
    try:
        for name in names:
            await INTERACTIONS[name](Hands(page, name))
        hands = Hands(page, "check")
        await hands.click("")
        await asyncio.sleep(0.1)
    finally:
        await page.context.close()
    failed = recorder.failures[-1].text if recorder.failures else ""
    return parse(recorder.recording(" and ".join(names)[:60]).text(), "recorded"), failed


def replayed(chromium: Chromium, recording: Recording) -> str:
    """Return the error in which a replay ends, or why it does not."""
    replayer = Replayer(chromium, recording)
    try:
        seen = replayer.observe(recording.trace)
        errors = [failure.text for failure in seen.failures if failure.kind == "error"]
        return seen.impossible or (errors[-1] if errors else "no error")
    finally:
        replayer.close()


def exported(chromium: Chromium, recording: Recording, fixed: str, near: Path, tools: Sequence[str]) -> dict[str, str]:
    """Return for each tool what is wrong with the exported test; nothing where it is right."""
    replayer = Replayer(chromium, recording)
    try:
        right, shown = export_check.replayed(replayer, "error: ")
    except MinreproError as error:
        return dict.fromkeys(tools, str(error).splitlines()[0])
    finally:
        replayer.close()
    found: dict[str, str] = {}
    for to in tools:
        text, check = export(right, to, shown), export_check.check_for(to, near)
        assert not isinstance(check, str), check
        try:
            for base in ("", fixed):
                told = export_check.run(text, to, check, near, base)
                export_check.refuse_unless_right(told, to, fixed=bool(base))
            found[to] = ""
        except MinreproError as error:
            found[to] = str(error).splitlines()[0]
    return found


TOOLS = tuple(LANGUAGES)
