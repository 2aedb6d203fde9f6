"""`python -m kb` is `kb`."""

from kb.cli import main

main()
