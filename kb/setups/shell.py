"""Shell text: the commands that start a server, with the variables set before them and the line of every word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate

from kb.setups.source import NotASetup, Text

MOST_WORDS = 5_000
"""Words of one command; a server takes some hundred."""
MOST_SERVERS = 500
"""Servers that one text starts."""
MOST_FILLED = 4 << 20
"""Characters that variables of one text stand for: a few lines in which each doubles the one before stand for more than
there is."""

LAUNCH = re.compile(
    r"(?<![\w./-])(?:\S{0,200}/)?vllm\s+serve(?=[\s\\]|$)"
    r"|-m\s+vllm\.entrypoints\.(?:openai\.)?api_server"
    r"|-m\s+sglang\.launch_server|(?<![\w./-])sglang\s+serve(?=\s)|-m\s+sglang_router|-m\s+sglang\.launch_router"
    r"|-m\s+dynamo\.(?:vllm|sglang|trtllm|frontend)"
    r"|(?<![\w./-])trtllm-serve(?=\s)|(?<![\w./-])vllm-router(?=\s)"
    r"|docker\s+run[^\n]{0,4000}(?:\\\n[^\n]*){0,80}?(?:vllm/vllm-openai|vllm-openai)\S*"
)
"""What a command that starts a server, or a router in front of it, says."""

_ASSIGNED = re.compile(r"^\s*(?:export\s+|set\s+)?([A-Za-z_]\w*)=(.*)$")
_VARIABLE = re.compile(r"\$\{([A-Za-z_]\w*)(?::?-([^}]{0,1000}))?\}|\$([A-Za-z_]\w*)|\$\(([A-Za-z_]\w*)\)")
_ORDINARY = re.compile(r"""[^ \t\r\n;&|<>()'"\\$]+""")
"""Characters that stand for themselves, taken together."""
_PROMPT = re.compile(r"^\s*(?:[$>#]\s+|- )?")


@dataclass(frozen=True, slots=True)
class Command:
    """A command: variables set in front of it, and its words."""

    words: tuple[Text, ...]
    env: tuple[tuple[str, str, int], ...]
    line: int
    defaults: tuple[str, ...] = field(default=())
    """Variables replaced by the default that the text names for them."""


def commands(text: str, variables: Mapping[str, str] | None = None, first: int = 1) -> list[Command]:
    """Every command that starts a server; `first` is the line the text begins on in its file."""
    found: list[Command] = []
    known = _Variables(variables or {})
    arrays = _arrays(text, known, first)
    lines = text.split("\n")
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    exported: list[tuple[str, str, int]] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        if line.lstrip().startswith("#"):
            at += 1
            continue
        joined, end = _joined(lines, at)
        if LAUNCH.search(_PROMPT.sub("", joined, 1)):
            start = starts[at]
            made, consumed = _commands_at(text, start, first + at, known, exported)
            found += [_spread(each, arrays) for each in made]
            if len(found) > MOST_SERVERS:
                raise NotASetup(f"more than {MOST_SERVERS} servers are started there", "give those of one deployment")
            at = max(at + 1, at + text.count("\n", start, consumed))
            continue
        if match := _ASSIGNED.match(line):
            _assign(match, first + at, known, exported)
        at = end + 1
    return found


_ARRAY = re.compile(
    r"""(?m)^[ \t]*(?:declare\s+-a\s+|local\s+)?(\w+)(\+?)=\(((?:[^()"'#]|"[^"]*"|'[^']*'|\#[^\n]*$)*)\)"""
)
_WHOLE_ARRAY = re.compile(r"\$\{(\w+)\[[@*]\]\}")


def _arrays(text: str, known: _Variables, first: int) -> dict[str, list[Text]]:
    """Arrays of words, as scripts collect arguments in them."""
    found: dict[str, list[Text]] = {}
    for match in _ARRAY.finditer(text):
        words: list[Text] = []
        lexer = _Lexer(match[3], 0, first + text.count("\n", 0, match.start(3)), known)
        while lexer.at < len(match[3]):
            before = lexer.at
            words += lexer.command()
            lexer.line += lexer.ended_line and lexer.at > before
        if match[2]:
            found.setdefault(match[1], []).extend(words)
        else:
            found[match[1]] = words
    return found


def _spread(command: Command, arrays: Mapping[str, list[Text]]) -> Command:
    """A command with its arrays written out."""
    words: list[Text] = []
    for word in command.words:
        match = _WHOLE_ARRAY.fullmatch(word)
        words += arrays[match[1]] if match and match[1] in arrays else [word]
    return replace(command, words=tuple(words))


def _joined(lines: list[str], at: int) -> tuple[str, int]:
    """A line with those that continue it, and the last of them."""
    end = at
    while lines[end].rstrip().endswith("\\") and end + 1 < len(lines):
        end += 1
    return "\n".join(lines[at : end + 1]), end


def _assign(match: re.Match[str], line: int, known: _Variables, exported: list[tuple[str, str, int]]) -> None:
    lexer = _Lexer(match[2], 0, line, known)
    words = lexer.command()
    value = str(words[0]) if words else ""
    known[match[1]] = value
    if match[0].lstrip().startswith("export"):
        exported.append((match[1], value, line))


def _commands_at(
    text: str, start: int, line: int, known: _Variables, exported: list[tuple[str, str, int]]
) -> tuple[list[Command], int]:
    """Commands of a stretch that begins on a line with a launcher; `a && b` are two."""
    found: list[Command] = []
    position = start
    prompt = _PROMPT.match(text[start : start + 20])
    position += prompt.end() if prompt else 0
    while position < len(text):
        lexer = _Lexer(text, position, line + text.count("\n", start, position), known)
        words = lexer.command()
        position = lexer.at
        command = _with_env(words, known, exported, tuple(lexer.defaults))
        if command and _launches(command.words):
            found.append(command)
        elif command is None:
            found += _in_a_variable(words)
        if lexer.ended_line:
            break
    return found, position


def _in_a_variable(words: Sequence[Text]) -> list[Command]:
    """A command that is kept in a variable to be run later."""
    values = [Text(word.partition("=")[2], word.line) for word in words if LAUNCH.search(word)]
    return [each for value in values for each in commands(value, None, value.line)]


WRAPPERS = re.compile(
    r"^(?:\S*/)?(?:docker|podman|nerdctl|srun|mpirun|numactl|taskset|python[\d.]*|uv|uvx|ssh|kubectl|bash|sh|timeout|nsys|ray"
    r"|conda|poetry|torchrun|stdbuf|nice|chrt|singularity|apptainer|enroot|if|do|then|\{)$"
)
"""Words that may stand before a launcher; behind any other word it is prose."""


def _launches(words: tuple[Text, ...]) -> bool:
    """Whether the words start a server, as opposed to speaking of one."""
    joined = " ".join(words)
    if not LAUNCH.search(joined):
        return False
    if WRAPPERS.match(words[0]):
        return True
    return LAUNCH.match(joined) is not None


def _with_env(
    words: list[Text], known: dict[str, str], exported: list[tuple[str, str, int]], defaults: tuple[str, ...]
) -> Command | None:
    """Assignments in front taken off; `env` and `export` words with them."""
    env: list[tuple[str, str, int]] = list(exported)
    for at, word in enumerate(words):  # noqa: B007  where the command begins
        if match := re.match(r"^([A-Za-z_]\w*)=(.*)$", word, re.DOTALL):
            env.append((match[1], match[2], word.line))
        elif word not in {"env", "exec", "nohup", "sudo", "time", "export"}:
            break
    else:
        for name, value, _ in env:
            known[name] = value
        return None
    return Command(tuple(words[at:]), tuple(env), words[at].line, defaults)


class _Variables(dict[str, str]):
    """Variables of a text by name."""

    spent = 0

    def filled(self, name: str) -> str:
        """A variable's value, to be written in its place. Raises NotASetup where these add up to too much."""
        self.spent += len(self[name])
        if self.spent > MOST_FILLED:
            raise NotASetup(
                f"its variables stand for more than {MOST_FILLED >> 20} MiB", "give the command as it is run"
            )
        return self[name]


class _Lexer:
    """Splits one command into words as a POSIX shell does; variables that are known are filled in."""

    def __init__(self, text: str, at: int, line: int, known: _Variables) -> None:
        self.text, self.at, self.line, self.known = text, at, line, known
        self.ended_line = True
        self.defaults: list[str] = []

    def command(self) -> list[Text]:
        """The words up to the end of the command; `ended_line` tells whether the line ended with it."""
        words: list[Text] = []
        self.ended_line = True
        while self._skip_space():
            char = self.text[self.at]
            if char == "\n":
                self.at += 1
                return words
            if char == "#":
                self._to_line_end()
                continue
            if char in ";&|":
                self.at += 2 if self.text[self.at : self.at + 2] in {"&&", "||", ";;"} else 1
                self.ended_line = False
                return words
            if char in "<>" or re.match(r"\d?>", self.text[self.at : self.at + 2]):
                self._redirection()
                continue
            if char in "()`":
                self.at += 1
                continue
            words.append(self._word())
            if len(words) > MOST_WORDS:
                raise NotASetup(
                    f"a command of more than {MOST_WORDS} words (line {self.line})", "no server takes those"
                )
        return words

    def _skip_space(self) -> bool:
        while self.at < len(self.text):
            if self.text[self.at] in " \t\r":
                self.at += 1
            elif continued := re.match(r"\\[ \t]*\n", self.text[self.at : self.at + 40]):
                self.at += continued.end()
                self.line += 1
            else:
                return True
        return False

    def _to_line_end(self) -> None:
        end = self.text.find("\n", self.at)
        self.at = len(self.text) if end < 0 else end

    def _redirection(self) -> None:
        match = re.compile(r"\d?(?:>>|>|<<<|<<-?|<)(?:&\d?)?[ \t]*").match(self.text, self.at)
        self.at = match.end() if match else self.at + 1
        if match and "&" not in match[0] and self.at < len(self.text) and self.text[self.at] not in "\n;&|":
            self._word()

    def _word(self) -> Text:
        line = self.line
        pieces: list[str] = []
        while self.at < len(self.text):
            if plain := _ORDINARY.match(self.text, self.at):
                pieces.append(plain[0])
                self.at = plain.end()
                continue
            char = self.text[self.at]
            if char in " \t\r\n;&|<>" or (char == ")" and not pieces):
                break
            pieces.append(self._piece(char))
        return Text("".join(pieces), line)

    def _piece(self, char: str) -> str:
        if char == "'":
            return self._quoted("'")
        if char == '"':
            return self._filled(self._quoted('"'))
        if char == "\\" and self.at + 1 < len(self.text):
            self.at += 2
            escaped = self.text[self.at - 1]
            self.line += escaped == "\n"
            return "" if escaped == "\n" else escaped
        if char == "$" and self.text[self.at : self.at + 2] == "$(":
            return self._substitution()
        if match := _VARIABLE.match(self.text, self.at):
            self.at = match.end()
            return self._filled(match[0])
        self.at += 1
        return char

    def _quoted(self, quote: str) -> str:
        self.at += 1
        start, out = self.at, []
        while self.at < len(self.text) and self.text[self.at] != quote:
            if (
                quote == '"'
                and self.text[self.at] == "\\"
                and self.text[self.at + 1 : self.at + 2] in {'"', "\\", "\n", "$"}
            ):
                out.append(self.text[start : self.at])
                start = self.at + 1
                if self.text[start] == "\n":
                    start += 1
                self.at += 1
            self.at += 1
        out.append(self.text[start : self.at])
        self.line += self.text.count("\n", start, self.at)
        self.at += 1
        return "".join(out)

    def _substitution(self) -> str:
        """`$(command)`: its output is not in the text; `$(NAME)` is a variable in a manifest."""
        if (match := _VARIABLE.match(self.text, self.at)) and match[4]:
            self.at = match.end()
            return self._filled(match[0])
        start, depth = self.at, 0
        while self.at < len(self.text):
            depth += {"(": 1, ")": -1}.get(self.text[self.at], 0)
            self.at += 1
            if depth == 0 and self.at > start + 1:
                break
        return self.text[start : self.at]

    def _filled(self, text: str) -> str:
        return _VARIABLE.sub(self._value, text)

    def _value(self, match: re.Match[str]) -> str:
        name = match[1] or match[3] or match[4]
        if name in self.known:
            return self.known.filled(name)
        if match[2] is not None:
            self.defaults.append(name)
        return match[0]


def filled(text: str, variables: Mapping[str, str]) -> str:
    """Kubernetes' `$(NAME)` filled in from a container's variables."""
    return re.sub(r"\$\(([A-Za-z_]\w*)\)", lambda match: variables.get(match[1], match[0]), text)


def launched(words: tuple[Text, ...]) -> Iterator[tuple[str, int]]:
    """The servers a command starts: their kind and where their arguments begin."""
    for at, word in enumerate(words):
        last = word.rpartition("/")[2]
        after = str(words[at + 1]) if at + 1 < len(words) else ""
        if last == "vllm" and after == "serve":
            yield "vllm", at + 2
        elif last == "sglang" and after == "serve":
            yield "sglang", at + 2
        elif word == "-m" and (kind := MODULES.get(after)):
            yield kind, at + 2
        elif last in PROGRAMS:
            yield PROGRAMS[last], at + 1


MODULES = {
    "vllm.entrypoints.openai.api_server": "vllm",
    "vllm.entrypoints.api_server": "vllm",
    "sglang.launch_server": "sglang",
    "sglang_router.launch_router": "sglang-router",
    "sglang.launch_router": "sglang-router",
    "dynamo.vllm": "dynamo-vllm",
    "dynamo.sglang": "dynamo-sglang",
    "dynamo.trtllm": "dynamo-trtllm",
    "dynamo.frontend": "dynamo-frontend",
}
PROGRAMS = {"trtllm-serve": "trtllm", "vllm-router": "vllm-router"}
