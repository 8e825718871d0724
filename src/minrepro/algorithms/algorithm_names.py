"""What the tree algorithms are called, for whoever offers a choice of them without loading them all."""

TREE_NAMES = (
    "hdd",
    "hdd+",
    "hdd*",
    "coarse",
    "hddr",
    "hddr-reversed",
    "hddr-depth",
    "hddr-depth-reversed",
    "perses",
    "pardis",
    "hoist",
    "groups",
    "tree",
)
