"""A record in a place where none of its kind is read.

## What it flags
A file that looks like a record and is not read: in `entries/` itself, in a folder inside a kind's folder, with another
ending (`.yml`, `.markdown`). A record in the folder of another kind: an evaluation in `entries/changes`.
Attachments in a record's own folder, READMEs, and names that begin with `_` or `.` are left alone.

## Why it matters
Nothing of it is searched, audited or shown, and nobody notices.

## Example
    # entries/deployments/it.yaml
    arms: [{id: pull}, {id: push}]
    points: [{metric: ttft, arm: push, value: 540, unit: ms}]

## What to do
Move or rename it as the hint says; a draft that is not to be read begins with `_`.
"""

from kb.vocabulary import Severity

CODE = "KB100"
NAME = "wrong-place"
SEVERITY = Severity.ERROR
