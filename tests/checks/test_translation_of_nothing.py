"""KB116 translation-of-nothing."""

from . import cases, fires, quiet, rows


@cases(
    (
        """
# entries/evaluations/shared-result.ja.md
translates: shared-result
language: ja
title: t
claims: [{id: hevy, says: x}]
""",
        'did you mean "heavy"?',
    ),
    (
        """
# entries/evaluations/shared-result.ja.md
translates: shared-result
language: ja
title: t
claims: [{id: heavy, says: x}, {id: heavy, says: y}]
""",
        "twice",
    ),
    (
        """
# entries/evaluations/shared-result.ja.md
translates: shared-result
language: ja
title: t
limits: [a, b]
""",
        "2 limits translate 1",
    ),
    (
        """
# entries/evaluations/shared-result.en.md
translates: shared-result
language: en
title: t
""",
        'in "en" already',
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """Every sentence translates one of the original's."""
    fires("translation-of-nothing", fragment, says)


@rows(
    """
# entries/evaluations/shared-result.ja.md
translates: shared-result
language: ja
title: t
""",
    """
# entries/evaluations/shared-result.pt.md
translates: shared-result
language: pt
title: t
claims: [{id: light, says: x}]
limits: [um par]
""",
)
def test_is_quiet(fragment: str) -> None:
    """Fewer sentences than the original are a translation under way."""
    quiet("translation-of-nothing", fragment)
