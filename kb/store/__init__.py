"""The derived file: one SQLite database under .kb/, always rebuildable. The only room that knows SQLite.

`open_store(path)` gives a usable store, made anew (empty) where the file is missing, damaged or another version's.
`Store` reads; `Store.writing()` gives the one transaction that changes anything.
"""

from kb.store.opening import open_store
from kb.store.reading import Busy, Damaged, FieldKind, FileRow, Head, ReadOnly, Store, discard

__all__ = ["Busy", "Damaged", "FieldKind", "FileRow", "Head", "ReadOnly", "Store", "discard", "open_store"]
