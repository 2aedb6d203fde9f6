"""A field that records of this kind do not have.

## What it flags
A key that the model does not know, at any depth.

## Why it matters
A misspelt key holds a fact that no command will ever read: `verison: 0.29.0` leaves the version unknown.

## Example
    setup:
      engine: {component: vllm, verison: 0.29.0}

## What to do
Take the field that the hint names. A fact that has no field belongs into the body, or into a request for one.
"""

from kb.vocabulary import Severity

CODE = "KB103"
NAME = "unknown-field"
SEVERITY = Severity.ERROR
