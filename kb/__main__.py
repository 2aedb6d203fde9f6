"""`python -m kb` is `kb`."""

from kb.start import main

if __name__ == "__main__":  # a scan starts processes, which may import this module again
    main()
