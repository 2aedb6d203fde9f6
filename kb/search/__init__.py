"""Finding entries: `search(store, "push ttft connector:nixl qps:>=4")`. The query language is cli.md's.

query      what is asked, as values
plain      words, phrases, field:value; parser (whoosh's, imported only when needed) the rest; fields what a leaf means
borrowed   what is taken from whoosh, for the parser and for spelling
compile    a query -> one FTS5 MATCH and SQL conditions (match, terms, values, spell)
rank       the order; snippet, facets, suggest what is shown beside it; related the neighbours of an entry
"""

from kb.search.search import Hit, Results, parse, search

__all__ = ["Hit", "Results", "parse", "search"]
