"""The command line: words to settings, results to text."""

import sys

if sys.platform == "win32":  # before anything is loaded that Windows does not have
    sys.stderr.write("minrepro: error: minrepro does not run on Windows itself\n")
    sys.stderr.write("hint: install it in WSL, the Windows Subsystem for Linux: wsl --install\n")
    sys.exit(2)
