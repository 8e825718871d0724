"""What a reduction reads, and where it writes."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from minrepro.cli.settings_of import history_of
from minrepro.core.verdicts import Outcome
from minrepro.errors import UsageError
from minrepro.runs.runner import RunResult
from minrepro.runs.state_folder import last_unfinished, state_folder
from minrepro.targets.choosing import is_folder, target_at
from minrepro.targets.file import FileTarget
from minrepro.targets.reading import read_input
from minrepro.targets.result_file import ResultStore, default_folder, default_output
from minrepro.targets.target import InputTarget


def original_of(args: argparse.Namespace, output: Path) -> tuple[InputTarget, Path | None]:
    """Return the input, and if it was overwritten by a run that is to be resumed, where it was kept."""
    if args.in_place and args.resume:
        story = last_unfinished(state_folder(history_of(args), args.input, output))
        if story is not None and story.asked.kept:
            kept = Path(story.asked.kept)
            return input_of(args, kept), kept
    return input_of(args), None


def input_of(args: argparse.Namespace, kept: Path | None = None) -> InputTarget:
    """Return the input, as it was kept if it was overwritten."""
    if args.encoding is not None and not is_folder(args.inputs):
        from minrepro.targets.encoded_file import EncodedFileTarget  # few need it

        return replace(EncodedFileTarget.read_as(kept or args.input, args.encoding), path=args.input)
    return target_at(args.inputs) if kept is None else FileTarget(args.input, read_input(kept))


def output_of(args: argparse.Namespace) -> Path:
    """Return where the result goes."""
    if args.in_place and is_folder(args.inputs):
        raise UsageError("--in-place applies to a single file, not to directories or several files")
    if args.in_place:
        return Path(args.input)
    target: Path = args.output or (default_folder(args.input) if is_folder(args.inputs) else default_output(args.input))
    if target.exists() and target.samefile(args.input):
        raise UsageError(
            f"the result would overwrite the input {target}\nhint: choose another file with -o, or use --in-place"
        )
    return target


def hidden_of(args: argparse.Namespace, target: Path) -> list[Path]:
    """Return what this reduction writes next to the input, which a failing command must not come across."""
    written = [target, state_folder(history_of(args), args.input, target)]
    return [path for path in written if not args.in_place or path != args.input]


def others_written(
    target: InputTarget, result: RunResult[bytes], stores: Mapping[Outcome, ResultStore]
) -> Sequence[Path]:
    """Write the results for other causes beside the smallest one, and return their paths."""
    others = [case for case in getattr(target, "results", ()) if case != result.case]
    written = []
    for number, case in enumerate(others, 2):
        store = stores[Outcome.FAIL].beside(str(number))
        store.write(target.written(case))
        written.append(store.path)
    return written
