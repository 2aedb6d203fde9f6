"""Facts a reviewer will ask for, as a checklist."""

from __future__ import annotations

from collections.abc import Iterable

from kb.present.text import Page, table


def checklist(missing: Iterable[tuple[str, str]], page: Page) -> list[str]:
    """Each fact with the reason."""
    return ["A reviewer will ask for:", *table([[fact, why] for fact, why in missing], page.width)]
