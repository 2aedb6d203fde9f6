"""A base in whose every text somebody has written what must not run, load, steer or break a page."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from kb.frontmatter import load
from kb.library import model_of
from kb.model import Model
from tests.site.building import copied

SCRIPT = "<script>window.pwned=1</script>"
PAYLOAD = (
    f"{SCRIPT}<img src=x onerror='window.pwned=1'><svg onload=window.pwned=1><style>*{{display:none}}</style>\"'>"
    '<a href="javascript:window.pwned=1">j</a></title></textarea></main>--><!--{{ 7*7 }}{% raw %}\u202e\u2066'
)
BODY = f"""

{PAYLOAD}

# {PAYLOAD}

[a](javascript:window.pwned=1) [b](data:text/html,{SCRIPT}) [c](vbscript:x) [d]( java&#115;cript:window.pwned=1)
![e](https://evil.example/x.png) ![f](data:image/svg+xml,{SCRIPT}) <https://example.org/"onmouseover="window.pwned=1>

<iframe src="https://evil.example/"></iframe><object data="x"></object><embed src="x"><form action="https://evil.example/">
<input autofocus onfocus="window.pwned=1"></form><math><mtext></math><base href="https://evil.example/">
<link rel="stylesheet" href="https://evil.example/x.css"><meta http-equiv="refresh" content="0; url=https://evil.example/">
<p id="main" class="outcome outcome-holds" style="position:fixed">looks like ours</p>
<table><tr><td><b><i>never closed

| a | b |
|---|---|
| {SCRIPT} | [x](javascript:1) |

```html
{SCRIPT}
```

Note[^1].

[^1]: {SCRIPT}
"""


def hostile(folder: Path) -> Path:
    """The made-up base with the payload in every text that takes one."""
    base = copied(folder)
    for path in sorted((base / "entries").rglob("*")):
        if path.suffix == ".md":
            front, body = path.read_text(encoding="utf-8").split("\n---\n", 1)
            path.write_text(f"---\n{_poisoned(front.removeprefix('---'), path)}\n---\n{body}{BODY}", encoding="utf-8")
        elif path.suffix == ".yaml":
            path.write_text(_poisoned(path.read_text(encoding="utf-8"), path) + "\n", encoding="utf-8")
    return base


def _poisoned(text: str, path: Path) -> str:
    """A record as JSON, which is YAML, with the payload wherever the model takes it."""
    found = load(text)
    model = model_of(path)
    for holder, key in list(_leaves(found)):
        before = holder[key]
        holder[key] = f"{before}{PAYLOAD}"
        if not _is_valid(model, found):
            holder[key] = before
    return json.dumps(found, ensure_ascii=True, indent=1)


def _is_valid(model: type[Model], value: Any) -> bool:
    try:
        model.model_validate(value)
    except ValidationError:
        return False
    return True


def _leaves(value: Any) -> Iterator[tuple[Any, Any]]:
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, each in items:
        if isinstance(each, dict | list):
            yield from _leaves(each)
        elif isinstance(each, str) and key not in {"schema_version", "version", "versions", "results"}:
            yield value, key
