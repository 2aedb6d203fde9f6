"""KB117 broken-link."""

from . import cases, fires, quiet, rows


@cases(
    (
        """
---
See [it](../changes/no-change.md).
""",
        "../changes/no-change.md",
    ),
    (
        """
---
One.

See [the change](taken-chang) there.
""",
        'did you mean "taken-change"?',
    ),
    (
        """
---
[a](itt.md#claims)
""",
        'did you mean "entries/evaluations/it.md"?',
    ),
    (
        """
---
[a](../components/vlm.yaml)
""",
        "vlm.yaml",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """Links inside the base lead somewhere."""
    fires("broken-link", fragment, says)


@rows(
    """
---
See [itself](it.md), [the engine](vllm), [an old id](taken-id) and [a heading](#what-it-shows).
""",
    """
---
See [the proposal](https://example.org/pull/1), [mail](mailto:a@example.org), [raw](it/results.csv).
""",
    """
---
Write `[text](no-such-id)` to link.
""",
    """
---
```
[text](no-such-id)
```
""",
    """
---
![a chart](no-such-chart)
""",
    """
---
An array [0](in words) is no link to a file; neither is f[i](x, y).
""",
    """
---
See [the readme](../../README.md).
""",
)
def test_is_quiet(fragment: str) -> None:
    """The web, anchors, attachments, code and links that lead somewhere are left alone."""
    quiet("broken-link", fragment)
