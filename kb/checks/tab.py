"""A tab in the indentation.

## What it flags
A line of the front matter that is indented with a tab.

## Why it matters
YAML forbids it, and editors show it as whatever they like, so the nesting one sees is not the nesting there is.

## Example
    setup:
    \tmodel: Qwen3-32B

## What to do
Indent with spaces.
"""

from kb.vocabulary import Severity

CODE = "KB105"
NAME = "tab"
SEVERITY = Severity.ERROR
