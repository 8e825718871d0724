"""The passes of the default reducer, in their order."""

from __future__ import annotations

from minrepro.passes import Pass
from minrepro.passes.subtrees import comments, subtrees

PASSES = [Pass("comments", comments, optimism=0.1), Pass("subtrees", subtrees)]
