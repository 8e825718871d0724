"""`python -m minrepro`: the same as the command `minrepro`."""

import sys

from minrepro.entry import main

sys.exit(main())
