"""Strings and symbols of native libraries, read from their bytes: no tool of the platform is needed.

ELF of 64 bit: https://refspecs.linuxfoundation.org/elf/gabi4+/contents.html; of other formats only strings are read.
C++ names as the Itanium ABI mangles them: https://itanium-cxx-abi.github.io/cxx-abi/abi.html#mangling
A function that is neither exported nor imported leaves no symbol in a stripped library: absence of one says little
unless another release has it.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass

from kb.scan.tree import Tree

LIBRARY = re.compile(r"\.(so(\.\d+)*|dylib|pyd|dll)$")
ELF = b"\x7fELF"
_SYMBOLS = (2, 11)
"""Sections with symbols: all of them, which stripping takes away, and those for other libraries."""
_TEXTS = 3


def libraries(tree: Tree) -> tuple[str, ...]:
    """Paths of the native libraries of a release."""
    return tuple(path for path in tree.paths if LIBRARY.search(path))


def strings(data: bytes, least: int = 4) -> Iterator[str]:
    """Printable texts of at least that many characters, as compilers leave messages and option names in a library."""
    return (found[0].decode("ascii") for found in re.finditer(rb"[\x20-\x7e]{%d,}" % least, data))


def has_string(data: bytes, words: str) -> bool:
    """Whether a library carries these words."""
    return words.encode() in data


@dataclass(frozen=True)
class Symbol:
    """One symbol of a library."""

    name: str
    """As it is in the library, mangled."""
    defined: bool
    """Whether the library brings it; otherwise it asks another library for it."""

    @property
    def parts(self) -> tuple[str, ...]:
        """Names it is made of, outermost first: namespace, class, function. Those of its arguments follow."""
        return tuple(_parts(self.name))


def symbols(data: bytes) -> tuple[Symbol, ...]:
    """Symbols of a library; none for what is no ELF of 64 bit or is damaged."""
    if data[:6] != ELF + b"\x02\x01":
        return ()
    try:
        sections = _sections(data)
        return tuple(found for kind, *rest in sections if kind in _SYMBOLS for found in _symbols(data, rest, sections))
    except (struct.error, IndexError, OverflowError):
        return ()


Section = tuple[int, int, int, int]
"""Kind, offset, size and the number of the section that belongs to it."""


def _sections(data: bytes) -> list[Section]:
    (start,) = struct.unpack_from("<Q", data, 0x28)
    size, count = struct.unpack_from("<HH", data, 0x3A)
    found = []
    for at in range(start, start + size * count, size or 1):
        _name, kind, _flags, _address, offset, length, link = struct.unpack_from("<IIQQQQI", data, at)
        found.append((kind, offset, length, link))
    return found


def _symbols(data: bytes, where: list[int], sections: list[Section]) -> Iterator[Symbol]:
    offset, size, link = where
    kind, names, length, _ = sections[link]
    if kind != _TEXTS or offset + size > len(data):
        return
    texts = data[names : names + length]
    rows = struct.iter_unpack("<IBBHQQ", data[offset : offset + size // 24 * 24])
    for name, _info, _other, section, _value, _size in rows:
        text = texts[name : texts.find(b"\0", name)].decode("ascii", "replace")
        if text:
            yield Symbol(text, section != 0)


def _parts(mangled: str) -> Iterator[str]:
    """Length-prefixed names of a mangled symbol; an unmangled one is its own only part."""
    if not mangled.startswith("_Z"):
        yield mangled.partition("@")[0]
        return
    at = 2
    while at < len(mangled):
        digits = re.compile(r"\d+").match(mangled, at)
        if not digits:
            at += 1
            continue
        length = int(digits[0])
        name = mangled[digits.end() : digits.end() + length]
        if len(name) == length and re.fullmatch(r"[A-Za-z_]\w*", name):
            yield name
            at = digits.end() + length
        else:
            at = digits.end()


def has_symbol(data: bytes, name: str) -> bool:
    """Whether a library brings or asks for a symbol: `nixlAgent::makeConnection`, `fi_writemsg`."""
    wanted = tuple(re.split(r"::|\.", name))
    if wanted[-1].encode() not in data:
        return False  # spares parsing; most libraries lack it
    return any(_within(wanted, each.parts) for each in symbols(data))


def _within(wanted: tuple[str, ...], parts: tuple[str, ...]) -> bool:
    return any(parts[at : at + len(wanted)] == wanted for at in range(len(parts) - len(wanted) + 1))
