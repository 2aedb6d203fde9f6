"""The search of the static site: the derived file as static files, read in the browser by kb/site/static/search-*.js.

`shards(store, address)` gives the data files below the site's `search/`; `box` and `page` the HTML around them. Answers
are those of `kb search`: the same tokens, the same query language, the same hits, the same scores.

packing    whole numbers and lists of them as short text
files      a data file, and long sorted lists cut into several
postings   token -> documents and places
tables     documents, facets, numbers, names, words, terms of the vocabulary, what hits and snippets are made of
fragment   the search page and the search box
"""

from kb.site.search.fragment import SCRIPTS, SCRIPTS_BOX, STYLES, box, page
from kb.site.search.shards import shards

__all__ = ["SCRIPTS", "SCRIPTS_BOX", "STYLES", "box", "page", "shards"]
