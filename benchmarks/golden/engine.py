"""Golden cases that run the engine in this process: the default reducer, every algorithm, traces, the library."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import blake2b, sha256
from pathlib import Path, PurePath
from typing import Any

import minrepro
from benchmarks.golden import names, traces
from benchmarks.golden.containers import pdf_content, png_content, read_pdf, read_png, read_zip, zip_content
from benchmarks.golden.inputs import SAMPLES, Sample
from benchmarks.golden.names import Outcome
from benchmarks.golden.records import Case, Record, merged, of_content, of_files, steps_text

WORKERS = (1, 3, 16)


class Told:
    """Listens to a run: counts tests, and writes down what was asked and what was accepted, in order."""

    def __init__(self) -> None:
        self.tests = 0
        self.remembered = 0
        self._steps: list[tuple[str, int]] = []
        self._asked = sha256()

    def __call__(self, notice: names.RunEvent) -> None:
        if isinstance(notice, names.Tested):
            self.remembered += notice.remembered
            self.tests += not notice.remembered
            self._asked.update(f"{notice.size} {notice.verdict.outcome.value} {notice.remembered}\n".encode())
        elif isinstance(notice, names.Accepted):
            self._steps.append((notice.label, notice.size))

    def record(self) -> Record:
        """Return the counts, the steps, and a digest of all that was asked, in its order."""
        asked = self._asked.hexdigest()[:16]
        return {"asked": asked, "remembered": self.remembered, "steps": steps_text(self._steps), "tests": self.tests}


def seconds(case: Any) -> float:
    """Return how long a test takes on the virtual clock: as if at random, but by the content alone."""
    text = case if isinstance(case, bytes) else repr(case).encode()
    return 1 + int.from_bytes(blake2b(text, digest_size=2).digest()) / 2**15


def simulated(
    test: Callable[[Any], Outcome], workers: int, work: Callable[[names.Run[Any]], Any], **how: Any
) -> tuple[Any, Record]:
    """Return the result of a run on imagined workers, and what was told of it."""
    told = Told()
    executor = names.SimulatedExecutor(test, workers, seconds)
    result = work(names.Run(executor, notify=told, **how))
    assert not executor.running
    return result, told.record()


def judged(sample: Sample, strict: bool) -> Callable[[bytes], Outcome]:
    """Return the check of a sample; a strict one cannot tell about what does not parse."""

    def test(case: bytes) -> Outcome:
        if strict and not sample.parses(case):
            return Outcome.UNRESOLVED
        return Outcome.FAIL if sample.fails(case) else Outcome.PASS

    return test


def default_case(sample: Sample, strict: bool, workers: Sequence[int] = WORKERS, **options: Any) -> Record:
    """Reduce a sample by the default reducer; a deterministic one must do the same for any number of workers."""
    return _by_default(sample.name, sample.content, judged(sample, strict), workers, **options)


def container_case(name: str, content: bytes, test: Callable[[bytes], Outcome]) -> Record:
    """Reduce what is in a container, which is closed for each test."""
    return _by_default(name, content, test, (1, 16), deterministic=True)


def _by_default(
    name: str, content: bytes, test: Callable[[bytes], Outcome], workers: Sequence[int], **options: Any
) -> Record:
    records = {}
    for count in workers:
        reducer = names.default_reducer(PurePath(name), content, **options)
        result, record = simulated(test, count, partial(_reduced_by_edits, content, reducer))
        records[str(count)] = {**record, **of_content(result.case)}
    return merged(records, ("sha256", "steps", "tests") if options.get("deterministic") else ())


def _reduced_by_edits(content: bytes, reducer: Any, run: names.Run[bytes]) -> Any:
    return run.reduce_by_edits(content, reducer, empty=b"")


def _reduced(case: Any, reduction: Callable[[Any], Any], empty: Any, run: names.Run[Any]) -> Any:
    return run.reduce(case, reduction, empty=empty)


def folder_case(contents: Mapping[str, bytes], test: Callable[[Mapping[str, bytes]], bool]) -> Record:
    """Reduce several files together."""
    table, content = names.PackedFiles.packed({name: (0o100644, data) for name, data in contents.items()})

    def unpacked(case: bytes) -> dict[str, bytes]:
        return {name: data for name, (_, data) in table.unpacked(case).items()}

    records = {}
    for count in WORKERS:
        reducer = names.files_reducer(table, content, deterministic=True)
        work = partial(_reduced_by_edits, content, reducer)
        result, record = simulated(lambda case: Outcome.FAIL if test(unpacked(case)) else Outcome.PASS, count, work)
        records[str(count)] = {**record, **of_files(unpacked(result.case))}
    return merged(records, ("sha256", "steps", "tests"))


def _needing(*wanted: int) -> Callable[[tuple[int, ...]], Outcome]:
    return lambda case: Outcome.FAIL if set(wanted) <= set(case) else Outcome.PASS


def _in_pairs(case: tuple[int, ...]) -> Outcome:
    """Fail with 7 and 40; where half of a pair of neighbours is there without the other nothing can be told."""
    kept = set(case)
    if any((unit ^ 1) not in kept for unit in case if unit % 10 < 4):
        return Outcome.UNRESOLVED
    return Outcome.FAIL if {7, 40} <= kept else Outcome.PASS


def _odd_sum(case: tuple[int, ...]) -> Outcome:
    """Fail in a way that is not monotonous: one of many combinations will do."""
    return Outcome.FAIL if len(case) >= 5 and sum(case) % 3 == 0 and case[0] % 2 == 0 else Outcome.PASS


LISTS: dict[str, tuple[int, Callable[[tuple[int, ...]], Outcome]]] = {
    "scattered": (120, _needing(3, 44, 45, 101)),
    "pairs": (60, _in_pairs),
    "sums": (48, _odd_sum),
}


def list_case(algorithm: str, size: int, test: Callable[[tuple[int, ...]], Outcome], options: Any = None) -> Record:
    """Minimise a list of numbers; decisions are made in order, so steps are the same for any number of workers."""
    records = {}
    for count in WORKERS:
        minimize = names.list_minimizer(algorithm, options)
        work = partial(_reduced, tuple(range(size)), minimize, ())
        result, record = simulated(test, count, work)
        records[str(count)] = {**record, **of_units(result.case)}
    return merged(records, ("result", "steps"))


def race_case(loops: Any, size: int, test: Callable[[tuple[int, ...]], Outcome]) -> Record:
    """Minimise a list where the first test that fails wins: what comes out depends on the number of workers."""
    records = {}
    for count in WORKERS:
        minimize = names.list_minimizer("ddmin", names.DdminOptions(loops=loops))
        result, record = simulated(test, count, partial(_reduced, tuple(range(size)), minimize, ()), mode="race")
        records[str(count)] = {**record, **of_units(result.case)}
    return merged(records)


def of_units(units: Sequence[Any]) -> Record:
    """Return what stands for a list of units."""
    return {"result": " ".join(map(str, units)), "size": len(units)}


TREES = {name: SAMPLES[name] for name in ("pointer.c", "orders.json", "settings.toml")}
_LANGUAGES = {"pointer.c": "c", "orders.json": "json", "settings.toml": "toml"}


def _as_tree(name: str, algorithm: str, case: bytes) -> Any:
    return names.reduce_tree(names.open_tree(case, _LANGUAGES[name]), names.TREE_ALGORITHMS[algorithm])


def tree_case(algorithm: str, sample: Sample) -> Record:
    """Minimise a text as a tree within its syntax."""
    records = {}
    for count in WORKERS:
        work = partial(_reduced, sample.content, partial(_as_tree, sample.name, algorithm), b"")
        result, record = simulated(judged(sample, strict=False), count, work)
        records[str(count)] = {**record, **of_content(result.case)}
    return merged(records, ("sha256", "steps"))


def library_case(algorithm: str | None, failing: Any, test: Callable[[Any], bool]) -> Record:
    """Reduce by `minrepro.reduce` on one worker and on three threads; an algorithm finds the same on both."""
    told = Told()
    reduce: Any = minrepro.reduce
    chosen = {} if algorithm is None else {"algorithm": algorithm}
    result = reduce(failing, test, notify=told, **chosen)
    together = reduce(failing, test, workers=3, **chosen)
    found = [of_any(each.case) for each in (result, together)]
    same = () if algorithm is None else ("sha256", "result")  # passes may find another result with other workers
    return {**told.record(), **merged({"1": found[0], "3": found[1]}, same)}


def of_any(case: Any) -> Record:
    """Return what stands for bytes, text or a sequence."""
    if isinstance(case, str):
        return of_content(case.encode())
    return of_content(case) if isinstance(case, bytes) else of_units(case)


def isolate_case(passing: Sequence[Any], failing: Sequence[Any], test: Callable[[Any], Any]) -> Record:
    """Isolate a difference by `minrepro.isolate`."""
    told = Told()
    sides = minrepro.isolate(passing, failing, test, notify=told)
    together = minrepro.isolate(passing, failing, test, workers=3)
    records = {}
    for name, (good, bad) in {"1": sides, "3": together}.items():
        records[name] = {"passing": " ".join(map(str, good)), "failing": " ".join(map(str, bad))}
    return {**told.record(), **merged(records, ("passing", "failing"))}


def trace_case(algorithm: Any, rules: str, judged_at_end: bool) -> Record:
    """Reduce the failing session of the cart, with rules that are mined from logs, or without."""
    with tempfile.TemporaryDirectory() as folder:
        logs = []
        for name, text in traces.logs().items():
            path = Path(folder, name)
            path.write_text(text, encoding="utf-8")
            logs.append(names.read_log(path)[0])
    known = names.learn_rules(logs, confidence=0.75) if rules == "mined" else ()
    told = Told()
    trace = [names.Event(name, tuple(args)) for name, args in traces.failing()]
    result = names.reduce_events(
        trace, traces.Cart(), rules=known, algorithm=algorithm, judged_at_end=judged_at_end, notify=told
    )
    shown = "; ".join(map(str, result.trace))
    kept = " ".join(str(reason.position) for reason in result.reasons if reason.kept)
    return {
        **told.record(),
        "events_fired": result.events_fired,
        "kept": kept,
        "result": shown,
        "rules": len(known),
    }


DDMIN_VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    "balanced": ("ddmin", {"split": "balanced"}),
    "complements-only": ("ddmin", {"reduce": "complements only"}),
    "complements-first": ("ddmin", {"reduce": "complements first", "complement_order": "backward"}),
    "factor-4": ("ddmin", {"factor": 4}),
    "restart": ("ddmin", {"restart": True}),
    "random": ("ddmin", {"subset_order": "random", "complement_order": "random", "seed": 5}),
    "onemin-backward": ("onemin", {"complement_order": "backward"}),
}

FOLDER = {
    "Makefile": b"all: app\n\napp: src/main.c src/list.c\n\tcc -o app src/main.c src/list.c\n",
    "src/main.c": SAMPLES["pointer.c"].content[-330:],
    "src/list.c": b'#include "list.h"\nint count(struct list *l) { return hash("b", l->size, 3); }\n'
    b"int other(void) { return 1; }\n",
    "include/list.h": b"struct list { int size; };\nint count(struct list *it);\n",
    "settings/a.json": b'{"name": "a", "list": [1, 2, 3], "deep": {"x": null}}\n',
    "docs/notes.txt": b"one\ntwo\nthree\nfour\n",
    "docs/picture.bin": bytes(range(200)),
}


def folder_fails(files: Mapping[str, bytes]) -> bool:
    """Fail with a call of hash in a file that includes a header that is there, and with the note it takes."""
    return (
        b"return hash(" in files.get("src/list.c", b"")
        and b"struct list" in files.get("include/list.h", b"")
        and b"three" in files.get("docs/notes.txt", b"")
    )


def _library_inputs() -> dict[str, tuple[Any, Callable[[Any], bool]]]:
    rng = random.Random("library")
    text = "".join(f"{n} {'é' * (n % 3)} {rng.choice('abc')}\n" for n in range(40))
    numbers = [rng.randint(0, 30) for _ in range(50)]
    return {
        "bytes": (SAMPLES["log.txt"].content[:1200], lambda case: b"017" in case and case.count(b"ms") >= 2),
        "str": (text, lambda case: "é" in case and "33" in case and "b\n" in case),
        "list": (numbers, lambda case: sum(case) >= 60 and numbers[20] in case),
    }


def cases() -> Iterator[tuple[str, Case]]:
    """Yield all cases that start no process."""
    for sample in SAMPLES.values():
        yield f"engine/default/{sample.name}", partial(default_case, sample, False, deterministic=True)
        yield f"engine/merging/{sample.name}", partial(default_case, sample, False)
        if sample.parse is not None:
            yield f"engine/strict/{sample.name}", partial(default_case, sample, True, deterministic=True)
    for effort in ("fast", "thorough"):
        for name in ("pointer.c", "orders.json", "log.txt"):
            how = {"deterministic": True, "effort": effort}
            yield f"engine/{effort}/{name}", partial(default_case, SAMPLES[name], False, (1, 16), **how)
    for name in ("pointer.c", "order.py", "orders.js"):
        yield f"engine/golf/{name}", partial(default_case, SAMPLES[name], False, (1,), deterministic=True, golf=True)
    for name, content, read in (
        ("all.zip", zip_content(), read_zip),
        ("picture.png", png_content(), read_png),
        ("paper.pdf", pdf_content(), read_pdf),
    ):
        yield f"engine/container/{name}", partial(container_case, name, content, read)
    yield "engine/folder", partial(folder_case, FOLDER, folder_fails)
    for problem, (size, test) in LISTS.items():
        for algorithm in names.LIST_ALGORITHMS:
            yield f"list/{algorithm}/{problem}", partial(list_case, algorithm, size, test)
        for variant, (algorithm, options) in DDMIN_VARIANTS.items():
            chosen = names.DdminOptions(**options)
            yield f"list/{algorithm}-{variant}/{problem}", partial(list_case, algorithm, size, test, chosen)
        for loops in ("ahead", "separate", "combined"):
            yield f"list/race-{loops}/{problem}", partial(race_case, loops, size, test)
    for algorithm in names.TREE_ALGORITHMS:
        for name, sample in TREES.items():
            yield f"tree/{algorithm}/{name}", partial(tree_case, algorithm, sample)
    for kind, (failing, fails) in _library_inputs().items():
        for chosen_name in (None, *names.LIST_ALGORITHMS):
            yield (
                f"library/reduce/{kind}/{chosen_name or 'default'}",
                partial(library_case, chosen_name, failing, fails),
            )
    yield "library/isolate/list", partial(isolate_case, [2, 9, 30], list(range(40)), lambda case: {5, 17} <= set(case))
    letters = "the quick brown fox"
    yield "library/isolate/str", partial(isolate_case, "tk", letters, lambda case: "q" in case and "w" in case)
    yield "library/isolate/bytes", partial(isolate_case, b"", bytes(range(40)), lambda case: {3, 4} <= set(case))
    for algorithm in ("default", "rddmin", "ddmin", "grouping"):
        for rules in ("mined", "none"):
            yield f"traces/engine/{algorithm}/{rules}", partial(trace_case, algorithm, rules, False)
        yield f"traces/engine/{algorithm}/judged-at-end", partial(trace_case, algorithm, "mined", True)
