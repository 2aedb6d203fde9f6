"""A required field is missing.

## What it flags
A record without an id or a title, a point without a metric or a unit, a change without a component.

## Why it matters
The few required fields are what the record is: without a unit a number is none.

## Example
    points:
      - {metric: ttft, value: 540}

## What to do
State it. `unknown` is a value only where the field says so.
"""

from kb.vocabulary import Severity

CODE = "KB107"
NAME = "missing-field"
SEVERITY = Severity.ERROR
