"""What a column is: a number of a metric, a key of the load point, a fact of the setup, a count of requests, or
nothing."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Column:
    """One column. Exactly one of metric, where, setup, fact, requests is set; none for a column that is left out."""

    metric: str | None = None
    stat: str = "value"
    unit: str = ""
    definition: str | None = None
    where: str | None = None
    setup: str | None = None
    fact: str | None = None
    requests: str | None = None
    """sent, completed or failed."""
    total: str | None = None
    """input_tokens or output_tokens: a total over the requests, of which the mean is made."""
    skip: bool = False
    """Said to carry nothing."""

    @property
    def known(self) -> bool:
        """Whether it is known what it is."""
        return self.skip or any((self.metric, self.where, self.setup, self.fact, self.requests, self.total))
