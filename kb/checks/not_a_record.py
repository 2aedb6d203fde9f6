"""Not a record.

## What it flags
A file in the place of a record that cannot be read as one: no front matter, broken YAML, YAML anchors, aliases or tags,
not UTF-8, nested too deeply.

## Why it matters
Nothing of it is searched, audited or shown; a conclusion that nobody can read is lost.

## Example
    title: push beats pull: 3x  # a second ": " must be in quotes

## What to do
Follow the hint; put text with `: ` or a leading `* & ! % @` into quotes.
"""

from kb.vocabulary import Severity

CODE = "KB101"
NAME = "not-a-record"
SEVERITY = Severity.ERROR
