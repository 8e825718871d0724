"""`python -m minrepro`: the same as the command `minrepro`."""

import sys

from minrepro.cli.main import main

sys.exit(main())
