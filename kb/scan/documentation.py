"""Files that nobody runs: what differs in them is docs, whatever folder they lie in."""

from __future__ import annotations

import re

_ENDS = re.compile(r"\.(?:md|mdx|markdown|rst|adoc|png|jpe?g|gif|svg|webp|drawio|pdf)$", re.IGNORECASE)
_NAMES = re.compile(
    r"(?:^|/)(?:README|CHANGELOG|CHANGES|HISTORY|NEWS|AUTHORS|CONTRIBUTORS|CONTRIBUTING|MAINTAINERS|CODEOWNERS|"
    r"CODE_OF_CONDUCT|SECURITY|LICENSE|LICENCE|COPYING|NOTICE|ATTRIBUTIONS?)(?:[-.]\w+)?(?:\.txt)?$"
)
_RUN = re.compile(r"\.(?:py|pyi|sh|c|cc|cpp|h|hpp|cu|rs|go|js|ts|java|toml|ya?ml|json|cfg|ini|in|so|cmake)$")


def is_documentation(path: str) -> bool:
    """Whether a file is prose or a picture, by its name. A plain `.txt` is not: requirements and builds are."""
    return bool(_ENDS.search(path) or (_NAMES.search(path) and not _RUN.search(path)))
