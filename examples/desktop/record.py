"""Records what a user does while a program runs: record.py OUT.jsonl PROGRAM [ARG...]

It starts the program on the display of its environment, which must have the RECORD extension, and ends when it does.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path

from desktop import KINDS, key_name, until_a_window_is_there
from Xlib.display import Display
from Xlib.ext import record
from Xlib.protocol import rq

_NAMES = {number: name for name, number in KINDS.items()}


def main() -> None:
    """Record until the program ends."""
    out, *command = sys.argv[1:]
    control, data = Display(), Display()
    wanted = {
        "core_requests": (0, 0),
        "core_replies": (0, 0),
        "ext_requests": (0, 0, 0, 0),
        "ext_replies": (0, 0, 0, 0),
        "delivered_events": (0, 0),
        "device_events": (min(KINDS.values()), max(KINDS.values())),
        "errors": (0, 0),
        "client_started": False,
        "client_died": False,
    }
    context = control.record_create_context(0, [record.AllClients], [wanted])
    with Path(out).open("w", encoding="utf-8") as file, subprocess.Popen(command) as program:
        until_a_window_is_there(control, program)

        def end() -> None:
            program.wait()
            control.record_disable_context(context)
            control.flush()

        def heard(reply: rq.Struct) -> None:
            rest = reply.data if reply.category == record.FromServer else b""
            while rest:
                event, rest = rq.EventField(None).parse_binary_value(rest, data.display, None, None)
                print(json.dumps(told(control, event)), file=file, flush=True)

        threading.Thread(target=end).start()
        print("recording", file=sys.stderr, flush=True)
        data.record_enable_context(context, heard)


def told(display: Display, event: rq.Event) -> dict[str, object]:
    """Return an event as a line of a trace."""
    name = _NAMES[event.type]
    if name == "MotionNotify":
        return {"event": name, "args": [event.root_x, event.root_y]}
    return {"event": name, "args": [key_name(display, event.detail) if name.startswith("Key") else event.detail]}


if __name__ == "__main__":
    main()
