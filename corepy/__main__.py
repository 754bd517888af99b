"""The command line: ``python -m corepy info``, ``verify``, ``bench``, ``calibrate``."""

import sys

from corepy._commands import main

if __name__ == "__main__":
    sys.exit(main())
