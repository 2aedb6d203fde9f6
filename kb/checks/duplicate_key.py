"""A key given twice.

## What it flags
The same key twice in one table of the front matter.

## Why it matters
YAML readers keep one of the two without a word, and not all of them the same one.

## Example
    date: 2026-10-19
    date: 2026-10-20

## What to do
Keep the right one.
"""

from kb.vocabulary import Severity

CODE = "KB104"
NAME = "duplicate-key"
SEVERITY = Severity.ERROR
