// The twin of kb/tokens.py: the same parts and names from the same text. tests/site/fixtures/tokens.json holds the two
// together, so the rules are written down there and in kb/tokens.py, not here. Places are in UTF-16 units.
"use strict";
(function () {
  const GAP = "\ue000";
  const CJK = [
    [0x1100, 0x11ff], [0x3005, 0x3007], [0x3041, 0x3096], [0x3099, 0x309f], [0x30a1, 0x30fa], [0x30fc, 0x30ff],
    [0x3130, 0x318f], [0x31f0, 0x31ff], [0x3400, 0x4dbf], [0x4e00, 0x9fff], [0xac00, 0xd7af], [0xf900, 0xfaff],
    [0x20000, 0x3ffff],
  ];
  const RUN = /[\p{L}\p{N}]+(?:[._-]{1,2}[\p{L}\p{N}]+)*/gu;
  const LONG_VOWEL = /([\u30a1-\u30fa\u30fc]{3,})\u30fc(?![\u30a1-\u30fa\u30fc])/g;
  const VERSION = /^[vV]?(\p{Nd}+(?:\.\p{Nd}+)+)(.*)$/u;
  const RELEASE = /^(?:[._-]?(?:a|b|c|rc|alpha|beta|post|dev|pre)[._-]?\p{Nd}*)*$/iu;
  const PIECE = /\d+|[A-Z]{2,}s(?![a-z])|[a-z]?[A-Z]+(?=[A-Z][a-z])|[a-z]?[A-Z]{2,}(?![a-z])|[A-Z]?[a-z]+|[A-Z]+/g;
  const FOREIGN_PIECE = /\p{Nd}+|[\p{L}\p{Nl}\p{No}]+/gu;
  const SQUASH = /[_-]+|(?<!\p{Nd})\.|\.(?!\p{Nd})/gu;
  const NAME_LIMIT = 80;

  const isAscii = (text) => /^[\x00-\x7f]*$/.test(text);
  const isLetters = (text) => /^\p{L}+$/u.test(text);
  const length = (text) => (isAscii(text) ? text.length : Array.from(text).length);
  const firstSigns = (text, count) => (text.length <= count ? text : Array.from(text).slice(0, count).join(""));

  function isCjk(code) {
    return code >= 0x1100 && CJK.some(([first, last]) => first <= code && code <= last);
  }

  // --- case, accents and width ---

  // What Python's casefold does beyond lower case, of the letters that normalising leaves.
  const CASES = { "ß": "ss", "ς": "σ", "ŉ": "ʼn", "ǰ": "ǰ", "\u0345": "ι", "և": "եւ" };
  const CASES_FOUND = new RegExp(`[${Object.keys(CASES).join("")}]`, "g");

  // Cherokee has its small letters folded to the capitals, which are older.
  function cherokee(letter) {
    const code = letter.codePointAt(0);
    return String.fromCodePoint(code >= 0xab70 ? code - 0xab70 + 0x13a0 : code - 8);
  }

  function casefold(text) {
    const low = text.toLowerCase();
    if (isAscii(low)) return low;
    return low.replace(CASES_FOUND, (letter) => CASES[letter]).replace(/[\u13f8-\u13fd\uab70-\uabbf]/g, cherokee);
  }

  const withoutMarks = (text) => text.normalize("NFD").replace(/\p{Mn}/gu, "");
  const bare = (sign) => withoutMarks(casefold(withoutMarks(sign)));

  function fold(text) {
    text = text.normalize("NFKC");
    if (isAscii(text)) return text.toLowerCase();
    const folded = Array.from(text.normalize("NFC"), (c) => (c.codePointAt(0) < 0x1100 ? bare(c) : c));
    return folded.join("").normalize("NFKC");
  }

  function strip(run, lower = true) {
    if (isAscii(run)) return lower ? run.toLowerCase() : run;
    const text = withoutMarks(run);
    return lower ? fold(text) : text.normalize("NFC");
  }

  // --- runs ---

  // Runs of a text: {text, start, cjk}.
  function runs(text) {
    const found = [];
    for (const match of text.matchAll(RUN)) {
      if (isAscii(match[0])) found.push({ text: match[0], start: match.index, cjk: false });
      else cut(match[0], match.index, found);
    }
    return found;
  }

  function cut(run, offset, found) {
    let start = 0;
    let end = 0;
    let before = null;
    const close = () => {
      for (const match of run.slice(start, end).matchAll(RUN)) {
        found.push({ text: match[0], start: offset + start + match.index, cjk: before });
      }
    };
    for (const sign of run) {
      const cjk = isCjk(sign.codePointAt(0));
      if (before !== null && cjk !== before) {
        close();
        start = end;
      }
      before = cjk;
      end += sign.length;
    }
    close();
  }

  function cjkParts(run) {
    const signs = Array.from(run.replace(LONG_VOWEL, "$1"));
    return signs.length > 1 ? signs.slice(1).map((sign, i) => signs[i] + sign) : signs;
  }

  // --- words ---

  const ENDINGS = [
    ["oes", "ao", 5], ["aes", "ao", 5], ["eis", "el", 5], ["ais", "al", 5], ["ies", "y", 5], ["sses", "ss", 5],
    ["xes", "x", 4], ["shes", "sh", 5], ["tches", "tch", 6], ["pus", "pu", 4], ["ss", "ss", 4], ["us", "us", 4],
    ["is", "is", 4], ["s", "", 4],
  ];
  const NASAL = ["agem", "igem", "ugem", "rdem", "uvem", "omem", "item"];

  function singular(word) {
    if (length(word) < 4 || !isLetters(word) || word > "\u02ff") return word;
    for (let turn = 0; turn < 3; turn++) {
      const shorter = finalE(ending(word));
      if (shorter === word) break;
      word = shorter;
    }
    return word;
  }

  function ending(word) {
    const count = length(word);
    const found = ENDINGS.find(([end, , shortest]) => count >= shortest && word.endsWith(end));
    if (found) word = word.slice(0, word.length - found[0].length) + found[1];
    return NASAL.some((end) => word.endsWith(end)) ? word.slice(0, -1) + "n" : word;
  }

  const finalE = (word) => (length(word) > 5 && word.endsWith("e") ? word.slice(0, -1) : word);

  const cache = new Map();

  function word(run) {
    let found = cache.get(run);
    if (!found) {
      if (cache.size > 20000) cache.clear();
      cache.set(run, (found = looked(run)));
    }
    return found;
  }

  function looked(run) {
    if (/^[a-z]+$/.test(run)) {
      const part = singular(run);
      return { parts: [part], names: part === run ? [] : [run], whole: null, pieces: [[part, 0, run.length]] };
    }
    const pieces = piecesOf(run);
    const parts = pieces.map(([part]) => part);
    const names = [...new Set(namesOf(strip(run), parts))];
    return { parts, names, whole: parts.length > 1 ? withoutV(squashed(strip(run))) : null, pieces };
  }

  function piecesOf(run) {
    const text = strip(run, false);
    const pattern = isAscii(text) ? PIECE : FOREIGN_PIECE;
    const exact = length(run) === length(text);
    const found = [];
    for (const segment of text.matchAll(/[^_-]+/g)) {
      const skipped = VERSION.test(segment[0]) && /^[vV]/.test(segment[0]) ? 1 : 0;
      for (const piece of segment[0].slice(skipped).matchAll(pattern)) {
        const start = segment.index + skipped + piece.index;
        found.push([part(piece[0]), ...(exact ? [start, start + piece[0].length] : [0, run.length])]);
      }
    }
    return found;
  }

  function part(piece) {
    const stem = piece.slice(0, -1);
    const isCapitals = piece.endsWith("s") && stem === stem.toUpperCase() && stem !== stem.toLowerCase();
    return length(piece) > 2 && isCapitals ? casefold(stem) : singular(casefold(piece));
  }

  function* namesOf(run, parts) {
    const segments = run.split(/[_-]+/);
    if (parts.length > 1 || run !== parts[0]) yield firstSigns(withoutV(squashed(run)), NAME_LIMIT);
    for (const segment of segments) {
      const version = VERSION.exec(segment);
      if (version) yield* versionNames(version[1], version[2]);
      else if (segments.length > 1 && !parts.includes(segment)) yield firstSigns(squashed(segment), NAME_LIMIT);
    }
  }

  function* versionNames(numbers, rest) {
    if (rest) yield numbers + squashed(rest);
    const pieces = numbers.split(".");
    for (let end = pieces.length; end > 1; end--) yield pieces.slice(0, end).join(".");
  }

  const withoutV = (name) => (length(name) > 3 && name[0] === "v" && VERSION.test(name) ? name.slice(1) : name);
  const squashed = (run) => run.replace(SQUASH, "");

  // --- what others ask for ---

  function analyse(text) {
    const parts = [];
    const names = [];
    let after = null;
    for (const run of runs(text.normalize("NFKC"))) {
      if (run.cjk && after) parts.push(GAP);
      if (run.cjk) parts.push(...cjkParts(run.text));
      else {
        const found = word(run.text);
        parts.push(...found.parts);
        names.push(...found.names);
      }
      after = run.cjk;
    }
    return { parts, names };
  }

  // What a query text asks for, one unit a run: {parts, name, exact}.
  function units(text) {
    return runs(text.normalize("NFKC")).map((run) => {
      if (run.cjk) return { parts: cjkParts(run.text), name: null, exact: false };
      const found = word(run.text);
      const version = VERSION.exec(run.text);
      if (version && RELEASE.test(version[2])) return { parts: found.parts, name: found.names[0], exact: true };
      return { parts: found.parts, name: found.whole, exact: false };
    });
  }

  // Parts with their places in the text as given: {text, start, end, run}.
  function spans(text) {
    const flat = text.normalize("NFKC");
    if (flat === text) return placedIn(text);
    const places = [];
    for (const cluster of text.matchAll(/.[\u0300-\u036f\u3099\u309a\uff9e\uff9f]*/gsu)) {
      for (let i = cluster[0].normalize("NFKC").length; i > 0; i--) places.push(cluster.index);
    }
    places.push(text.length);
    return placedIn(flat).map((token) => ({
      ...token,
      start: places[token.start],
      end: Math.max(places[token.end], places[token.end - 1] + 1),
    }));
  }

  function placedIn(text) {
    const found = [];
    runs(text).forEach((run, number) => {
      const placed = run.cjk ? cjkPlaced(run.text) : word(run.text).pieces;
      for (const [token, start, end] of placed) {
        found.push({ text: token, start: run.start + start, end: run.start + end, run: run.cjk ? null : number });
      }
    });
    return found;
  }

  function cjkPlaced(run) {
    const kept = [];
    let place = 0;
    for (const sign of run.replace(LONG_VOWEL, "$1\0")) {
      if (sign !== "\0") kept.push([sign, place]);
      place += sign.length;
    }
    if (kept.length === 1) return [[kept[0][0], kept[0][1], kept[0][1] + kept[0][0].length]];
    return kept.slice(1).map(([sign, at], i) => [kept[i][0] + sign, kept[i][1], at + sign.length]);
  }

  function squash(text) {
    const each = runs(text.normalize("NFKC"));
    return each
      .map((run) => withoutV(run.cjk ? run.text.replace(LONG_VOWEL, "$1") : squashed(strip(run.text))))
      .join("");
  }

  // A short text's parts and names between spaces, to find a phrase or a version in as part of a string.
  function held(text) {
    const { parts, names } = analyse(text);
    return ` ${parts.join(" ")} ${GAP} ${names.join(" ")} `;
  }

  const tokens = (text) => analyse(text).parts;

  globalThis.kbSearch = { GAP, analyse, casefold, fold, held, isAscii, length, spans, squash, tokens, units };
})();
