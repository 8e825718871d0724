"""`python -m minrepro`: the same as the command `minrepro`."""

import sys

from minrepro.ui.cli import main

sys.exit(main())
