"""`python -m kb` is `kb`."""

from kb.start import main

main()
