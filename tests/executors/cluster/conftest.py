"""What the tests of executors share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.executors.cluster.clusters import RealCluster, free_port


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[RealCluster]:
    """Return a scheduler to which workers can be added."""
    folder = tmp_path / "cluster"
    folder.mkdir()
    real = RealCluster(folder, f"tcp://127.0.0.1:{free_port()}")  # so that it can come back there
    yield real
    real.close()


@pytest.fixture(scope="session")
def steady(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealCluster]:
    """Return a cluster of two workers with two threads each, for tests that do no harm to it."""
    real = RealCluster(tmp_path_factory.mktemp("cluster"))
    for name in ("one", "two"):
        real.worker(name)
    yield real
    real.close()
