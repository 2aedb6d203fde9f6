"""Redirects: an alias of a record leads to its page, so that an address outlives a rename."""

from __future__ import annotations

from collections.abc import Iterator

from kb.site import address
from kb.site.gather import Gathered
from kb.site.page import Page
from kb.vocabulary import Kind


def pages(gathered: Gathered) -> Iterator[Page]:
    """One page for each alias that can be a folder, unless a record or another's alias has it already."""
    for kind in Kind:
        records = gathered.of_kind(kind)
        taken = {record.id.casefold() for record in records} | {address.INDEX}
        for record in records:
            for alias in record.aliases:
                if address.is_safe(alias) and alias.casefold() not in taken:
                    taken.add(alias.casefold())
                    target = address.page(kind, record.id)
                    yield Page(
                        address.page(kind, alias),
                        "redirect",
                        record.title,
                        {"target": target, "alias": alias},
                        canonical=target,
                    )
