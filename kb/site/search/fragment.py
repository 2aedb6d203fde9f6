"""The search box of every page and the search page, as HTML around which kb/site/static/search-page.js works."""

from __future__ import annotations

from html import escape

SCRIPTS = (
    "search-tokens.js",
    "search-query.js",
    "search-data.js",
    "search-match.js",
    "search-rank.js",
    "search-words.js",
    "search-box.js",
    "search-page.js",
)
"""Scripts of the search page, in order."""
SCRIPTS_BOX = ("search-box.js",)
"""Scripts that the box wants elsewhere; it works without."""
STYLES = ("search.css",)

PAGE = "search.html"
EXAMPLES = (
    "push ttft",
    "NixlPushConnector",
    "初回トークン遅延",
    "latência",
    "component:nixl qps:>=4",
    "date:>=2026-06",
)

_BOX = """<form class="search-box" role="search" aria-label="Site" action="{action}" method="get">
<label class="search-label" for="search-box">Search</label>
<input id="search-box" name="q" type="search" placeholder="Search" autocomplete="off" autocapitalize="none" \
spellcheck="false" enterkeyhint="search" aria-keyshortcuts="/">
</form>"""

_PAGE = """<div class="search" data-search data-root="{root}">
<form class="search-form" role="search" aria-label="Records" action="{action}" method="get">
<label for="search-q">Words, identifiers, <code>field:value</code></label>
<div class="search-row">
<input id="search-q" name="q" type="search" autocomplete="off" autocapitalize="none" spellcheck="false" \
enterkeyhint="search" aria-describedby="search-help" aria-keyshortcuts="/">
<button type="submit">Search</button>
</div>
<p id="search-help" class="search-help">For example {examples}. All words must occur; <code>OR</code>, \
<code>-not</code>, <code>"a phrase"</code>, <code>prefix*</code>, <code>misspelt~</code> and parentheses work as in \
<code>kb search</code>. \
<kbd>/</kbd> comes here, arrows move among the hits.</p>
</form>
<noscript><p class="search-note">Searching here needs JavaScript. Without it, every record is in the lists \
of this site, and <code>kb search</code> finds the same on the command line.</p></noscript>
<p class="search-status" role="status" aria-live="polite"></p>
<div class="search-problem" role="alert" hidden></div>
<div class="search-chosen" hidden></div>
<div class="search-body" hidden>
<details class="search-filters"><summary>Filters</summary>
<section class="search-facets" aria-label="Filters"></section>
</details>
<section class="search-results" aria-labelledby="search-results">
<h2 class="search-label" id="search-results">Results</h2>
<p class="search-order"><label for="search-sort">Order</label> <select id="search-sort">\
<option value="relevance">best first</option><option value="date">newest first</option></select></p>
<ol class="search-hits"></ol>
<button type="button" class="search-more" hidden>Show more</button>
</section>
</div>
</div>"""


def box(root: str, action: str = PAGE) -> str:
    """The form in the header of a page; `root` leads from the page to the site's root (`../`)."""
    return _BOX.format(action=escape(root + action, quote=True))


def page(root: str = "", action: str = PAGE) -> str:
    """What is inside `<main>` of the search page."""
    where = escape(root + action, quote=True)
    return _PAGE.format(root=escape(root, quote=True), action=where, examples=_examples(where))


def _examples(action: str) -> str:
    from urllib.parse import quote_plus

    links = [f'<a href="{action}?q={quote_plus(each)}"><code>{escape(each)}</code></a>' for each in EXAMPLES]
    return ", ".join(links)
