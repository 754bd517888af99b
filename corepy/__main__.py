"""The command line: ``python -m corepy info``, ``verify``, ``bench``, ``calibrate``."""

import sys

from corepy._commands import main

sys.exit(main())
