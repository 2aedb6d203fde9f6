"""KB115 translation-behind."""

from kb.translation import digest

from . import cases, fires, library, quiet, rows


@cases(
    (
        """
# entries/evaluations/shared-result.ja.md
translates: shared-result
language: ja
title: t
""",
        "when it is up to date: of:",
    ),
    (
        """
# entries/evaluations/shared-result.ja.md
translates: shared-result
language: ja
title: t
of: 0123456789ab
""",
        "has changed since",
    ),
    (
        """
# entries/evaluations/shared-result.ja.md
translates: shared-result
language: ja
title: t
claims: [{id: heavy, says: x}]
""",
        "claims not translated: light",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """A translation says which state of the original it translates."""
    fires("translation-behind", fragment, says)


@rows(
    "title: An original",
    """
# entries/evaluations/nowhere.ja.md
translates: nowhere
language: ja
title: t
""",
)
def test_is_quiet(fragment: str) -> None:
    """An original is no translation, and one without a known original is another check's."""
    quiet("translation-behind", fragment)


def test_the_digest_of_the_hint_settles_it() -> None:
    """With the digest written down and every claim translated there is nothing to say."""
    records = library()
    of = digest(records.evaluations["shared-result"])
    claims = "claims: [{id: heavy, says: x}, {id: light, says: y}]"
    head = "# entries/evaluations/shared-result.ja.md\ntranslates: shared-result\nlanguage: ja\ntitle: t\n"
    quiet("translation-behind", f"{head}of: {of}\n{claims}")
