"""Front matter too large to read.

## What it flags
More than 1 MiB of fields. It is not read at all.

## Why it matters
Fields are for what a reviewer reads; raw data by the thousand make every command slow and no diff readable.

## What to do
Keep the points that claims rest on, and put the rest beside the record as a file of its own.

## Example
A results table of ten thousand rows pasted under `points`.
"""

from kb.vocabulary import Severity

CODE = "KB106"
NAME = "front-matter-too-large"
SEVERITY = Severity.ERROR
