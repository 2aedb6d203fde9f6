"""A value its field cannot hold.

## What it flags
A number where a name is expected, a date that is none, a word outside a closed list, a version that is no version.

## Why it matters
Facts are compared by type: `0.1O.0` is no version, so no change could ever be found to lie before or after it.

## Example
    kind: controled

## What to do
Take a member of the list in the message, or `unknown` where the source does not say.
"""

from kb.vocabulary import Severity

CODE = "KB102"
NAME = "bad-value"
SEVERITY = Severity.ERROR
