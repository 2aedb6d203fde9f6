// The twin of kb/search/fields.py, parser.py and fillers.py: text -> what is asked for, as values, or a QueryError.
// tests/site/fixtures/queries.json holds them together. Places are in UTF-16 units.
"use strict";
(function (kb) {
  const TEXT_FIELDS = ["title", "id", "claim", "body"];
  const FACET_FIELDS = [
    "kind", "tag", "component", "version", "model", "hardware", "interconnect", "topology", "engine", "connector",
    "metric", "prefix_caching", "source", "outcome", "status", "dimension", "release", "introduced", "removed", "lang",
  ];
  const VERSION_FIELDS = ["version", "release", "introduced", "removed"];
  const NUMBER_FIELDS = [
    "ttft", "tpot", "itl", "e2el", "request_throughput", "goodput", "input_throughput", "output_throughput",
    "total_throughput", "completed", "failed", "duration", "effect", "input_tokens", "output_tokens", "qps",
    "concurrency", "date",
  ];
  const FIELDS = new Map([
    ...TEXT_FIELDS.map((name) => [name, "text"]),
    ...FACET_FIELDS.map((name) => [name, "facet"]),
    ...NUMBER_FIELDS.map((name) => [name, "number"]),
  ]);
  const OTHER_WORDS = {
    hardware: "gpu gpus gpu_type gpu_model accelerator device machine instance",
    component: "library package project repo",
    engine: "framework server runtime",
    connector: "kv_connector",
    interconnect: "network fabric nic",
    model: "llm model_name",
    topology: "layout disaggregation",
    prefix_caching: "prefix_cache cache caching apc",
    dimension: "rests_on rests",
    outcome: "verdict",
    status: "state",
    source: "relation vendor",
    lang: "language",
    date: "day year month",
    tag: "label topic",
    qps: "request_rate rate rps rr",
    concurrency: "batch batch_size users clients max_concurrency",
    input_tokens: "isl input_len prompt_len prompt_tokens",
    output_tokens: "osl output_len max_tokens",
    e2el: "e2e latency",
    output_throughput: "throughput tps",
  };
  const NO_FIELD = new Map([
    ["tp", "tensor parallel"],
    ["pp", "pipeline parallel"],
    ["dp", "data parallel"],
    ["ep", "expert parallel"],
  ]);
  const LONGEST = 2000;
  const DEEPEST = 40;

  const COMPARISON = /^(>=|<=|>|<|=|≥|≤)(.*)$/u;
  const NUMBER = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)(ms|s|k|K|x|%)?$/;
  const SPAN = /^(.+?)\.\.(.+)$/u;
  const FIELD_ALONE = /^([A-Za-z_][\p{L}\p{N}_.-]*):$/u;
  const MILLISECONDS = ["ttft", "tpot", "itl", "e2el"];

  class QueryError extends Error {
    constructor(message, position = 0, hint = null) {
      super(message);
      this.position = position;
      this.hint = hint;
    }
  }

  const trim = (text) => text.replace(/^ +| +$/g, "");

  // --- the values that a query is made of ---

  const text = (value, field, how, distance, position) => ({ is: "text", text: value, field, how, distance, position });
  const facet = (field, value, how, distance, position) => ({ is: "facet", field, value, how, distance, position });
  const and = (parts) => ({ is: "and", parts });

  // --- what the text after `field:` means ---

  function leaf(field, value, position, extra) {
    if (field === null) return bareLeaf(value, position, extra);
    const kind = known(field, position, extra);
    if (kind === "text") return text(withoutStars(value, position), field, "word", 0, position);
    if (kind === "facet") return facetLeaf(field, value, position);
    return { is: "range", field, ...comparison(field, value, position) };
  }

  function quoted(field, value, position, extra) {
    const kind = field ? known(field, position, extra) : "text";
    if (kind === "text") return text(value, field, "phrase", 0, position);
    return kind === "facet" ? facet(field, value, "phrase", 0, position) : leaf(field, value, position, extra);
  }

  function shaped(field, value, how, distance, position, extra) {
    const kind = field ? known(field, position, extra) : "text";
    if (kind === "text") return text(value, field, how, distance, position);
    if (kind === "facet") return facet(field, value, how, distance, position);
    const hint = `try ${field}:>=8 or ${field}:[1 TO 8]`;
    throw new QueryError(`${field} holds numbers; * and ~ are for words`, position, hint);
  }

  function between(field, low, high, openLow, openHigh, position, extra) {
    if (field === null) throw new QueryError("a range needs a field", position, "for example input_tokens:[1000 TO 16000]");
    const kind = known(field, position, extra);
    [low, high] = [low, high].map(trim).map((end) => (end === "*" ? "" : end));
    if (VERSION_FIELDS.includes(field)) {
      const ends = [low, high].map((end) => versionEnd(field, end, position));
      return { is: "versions", field, low: ends[0], high: ends[1], openLow, openHigh };
    }
    if (kind !== "number") throw notANumber(field, position);
    const first = low ? numberEnds(field, low, position) : [-Infinity, -Infinity];
    const last = high ? numberEnds(field, high, position) : [Infinity, Infinity];
    return { is: "range", field, low: first[openLow ? 1 : 0], high: last[openHigh ? 0 : 1], openLow, openHigh };
  }

  function known(field, position, extra) {
    const kind = FIELDS.get(field) || (Object.hasOwn(extra, field) ? extra[field] : null);
    if (kind) return kind;
    const names = [...new Set([...FIELDS.keys(), ...Object.keys(extra)])].sort();
    throw new QueryError(`unknown field "${field}"`, Math.max(0, position - field.length - 1), meant(field, names));
  }

  function meant(field, names) {
    const word = field.toLowerCase();
    if (NO_FIELD.has(word)) return `no field holds it; search for the words: "${NO_FIELD.get(word)}"`;
    const ours = Object.keys(OTHER_WORDS).find((each) => OTHER_WORDS[each].split(" ").includes(word));
    const near = ours || closest(field, names);
    return near ? `did you mean "${near}"?` : "to search for the text itself, put it in quotes";
  }

  const isDate = (field) => field === "date" || field.endsWith("_date");

  function bareLeaf(value, position, extra) {
    const alone = FIELD_ALONE.exec(value);
    if (alone && (FIELDS.has(alone[1]) || Object.hasOwn(extra, alone[1]))) {
      throw new QueryError(`nothing after ${value}`, position, `write ${value}value without a space`);
    }
    return value === "*" ? and([]) : text(withoutStars(value, position), null, "word", 0, position);
  }

  function withoutStars(value, position) {
    if (value.includes("*") && value.replace(/^\*+|\*+$/g, "")) {
      const hint = "for the text itself, put it in quotes";
      throw new QueryError("* is understood only at the end of a word", position, hint);
    }
    return value;
  }

  function facetLeaf(field, value, position) {
    const found = COMPARISON.exec(value);
    if (!found) return facet(field, value, "word", 0, position);
    const [, sign, operand] = found;
    if (sign === "=") return facet(field, operand, "word", 0, position);
    if (!VERSION_FIELDS.includes(field)) throw notANumber(field, position);
    const end = versionEnd(field, operand, position);
    if (!end) throw new QueryError(`nothing after ${field}:${sign}`, position, `write ${field}:${sign}0.11`);
    const upward = [">", ">=", "≥"].includes(sign);
    const strict = sign === ">" || sign === "<";
    const ends = { low: upward ? end : null, high: upward ? null : end };
    return { is: "versions", field, ...ends, openLow: strict && upward, openHigh: strict && !upward };
  }

  function comparison(field, value, position) {
    const found = COMPARISON.exec(value);
    const span = SPAN.exec(value);
    const range = (low, high, openLow = false, openHigh = false) => ({ low, high, openLow, openHigh });
    if (span && !found) return range(numberEnds(field, span[1], position)[0], numberEnds(field, span[2], position)[1]);
    if (!found) return range(...numberEnds(field, value, position));
    const [low, high] = numberEnds(field, found[2], position);
    switch (found[1]) {
      case ">": return range(high, Infinity, true);
      case ">=": case "≥": return range(low, Infinity);
      case "<": return range(-Infinity, low, false, true);
      case "<=": case "≤": return range(-Infinity, high);
      default: return range(low, high);
    }
  }

  function numberEnds(field, value, position) {
    value = trim(value);
    if (isDate(field)) {
      const days = dayRange(value);
      const hint = `write ${field}:2026-10-19, ${field}:2026-10 or ${field}:2026`;
      if (!days) throw new QueryError(`"${value}" is not a date`, position, hint);
      return days;
    }
    const number = NUMBER.exec(value.normalize("NFKC"));
    if (!number) {
      const hint = `write ${field}:>=8 or ${field}:[1 TO 8], without spaces after the sign`;
      throw new QueryError(`"${value}" is not a number`, position, hint);
    }
    const found = Number(number[1]) * scale(field, number[2]);
    return [found, found];
  }

  function scale(field, suffix) {
    if (suffix === "k" || suffix === "K") return 1000;
    return suffix === "s" && MILLISECONDS.includes(field) ? 1000 : 1;
  }

  function dayRange(date) {
    const parts = date.split("-");
    if (parts.length > 3 || !parts.every((p) => /^[0-9]+$/.test(p)) || parts[0].length !== 4) return null;
    const [year, month = 0, day = 0] = parts.map(Number);
    if (month > 12 || day > 31 || (parts.length > 1 && !month) || (parts.length > 2 && !day)) return null;
    return [year * 10000 + (month || 1) * 100 + (day || 1), year * 10000 + (month || 12) * 100 + (day || 31)];
  }

  function versionEnd(field, value, position) {
    if (!value) return null;
    const numbers = versionNumbers(trim(value));
    if (!numbers) throw new QueryError(`"${value}" is not a version`, position, `write ${field}:>=0.11.0`);
    return numbers;
  }

  const STAGES = ["dev", "a", "b", "rc"];

  function versionNumbers(value) {
    const found = /^[vV]?(\d+(?:\.\d+)*)(?:[-_.]?(dev|a|b|rc|post)[-_.]?(\d*))?/.exec(value);
    if (!found) return null;
    const numbers = found[1].split(".").map(Number);
    while (numbers.length > 1 && !numbers[numbers.length - 1]) numbers.pop();
    const count = Number(found[3] || 0);
    if (found[2] === "post") return [...numbers, 0, 0, count];
    if (!found[2]) return numbers;
    return [...numbers.slice(0, -1), numbers[numbers.length - 1] - 1, 10 ** 9, STAGES.indexOf(found[2]), count];
  }

  const notANumber = (field, position) =>
    new QueryError(`${field} holds words, not numbers`, position, `write ${field}:value`);

  // --- did you mean, for fields: Python's difflib.get_close_matches with one answer ---

  function closest(word, names) {
    const folded = new Map(names.map((name) => [kb.casefold(name), name]));
    const asked = kb.casefold(word);
    let best = null;
    for (const name of folded.keys()) {
      const ratio = alike(name, asked);
      if (ratio >= 0.6 && (!best || ratio > best[0] || (ratio === best[0] && name > best[1]))) best = [ratio, name];
    }
    return best && folded.get(best[1]);
  }

  function alike(a, b) {
    return a.length + b.length ? (2 * matching(a, b, 0, a.length, 0, b.length)) / (a.length + b.length) : 1;
  }

  function matching(a, b, aStart, aEnd, bStart, bEnd) {
    let best = [0, 0, 0];
    let before = new Map();
    for (let i = aStart; i < aEnd; i++) {
      const here = new Map();
      for (let j = bStart; j < bEnd; j++) {
        if (a[i] !== b[j]) continue;
        const size = (before.get(j - 1) || 0) + 1;
        here.set(j, size);
        if (size > best[2]) best = [i - size + 1, j - size + 1, size];
      }
      before = here;
    }
    const [i, j, size] = best;
    if (!size) return 0;
    return size + matching(a, b, aStart, i, bStart, j) + matching(a, b, i + size, aEnd, j + size, bEnd);
  }

  // --- the parser: tags, then groups, fields and operators, in whoosh's order ---

  const TAGS = [
    ["not", /(?<![^ (])(?:NOT(?=[ (]|$)|-(?=[^ -]))/uy],
    ["AND", /(?<![^ (])AND(?=[ ()]|$)/uy],
    ["OR", /(?<![^ (])OR(?=[ ()]|$)/uy],
    ["field", /(?:(?<![^ (])|(?<=^-)|(?<=[ (]-))(?<text>[A-Za-z_][\p{L}\p{N}_.-]*):(?!\/\/)/uy],
    ["phrase", /"(?<text>[^"]*)"/uy],
    ["open", /[(]/uy],
    ["close", /[)]/uy],
    ["shaped", /(?<text>[^ *~()"[\]{}]+)(?<sign>[*~])(?<distance>(?<=~)[12])?(?=[ )]|$)/uy],
    ["range", /(?<open>[[{])(?<start>[^[\]{}]*?)(?:(?<=[[{ ])[Tt][Oo](?=[ \]}]))(?<end>[^[\]{}]*?)(?<close>[\]}])/uy],
    ["blank", / +/uy],
  ];

  function tagged(query) {
    const found = [];
    let before = 0;
    let at = 0;
    const word = (end) => {
      if (before < end) found.push({ is: "word", text: query.slice(before, end), start: before, field: null });
    };
    while (at < query.length) {
      const node = tag(query, at);
      if (!node) {
        at++;
        continue;
      }
      word(at);
      found.push(node);
      before = at = node.end;
    }
    word(query.length);
    return found;
  }

  function tag(query, at) {
    for (const [is, pattern] of TAGS) {
      pattern.lastIndex = at;
      const match = pattern.exec(query);
      if (match) return { is, field: null, original: match[0], ...match.groups, start: at, end: at + match[0].length,
                          ends: match.groups && [match.groups.start, match.groups.end] };
    }
    return null;
  }

  function grouped(nodes) {
    const stack = [{ is: "group", nodes: [] }];
    for (const node of nodes) {
      if (node.is === "open") stack.push({ is: "group", nodes: [] });
      else if (node.is === "close" && stack.length > 1) {
        const last = stack.pop();
        stack[stack.length - 1].nodes.push(last);
      } else if (node.is !== "close") stack[stack.length - 1].nodes.push(node);
    }
    const top = stack[0];
    return top.nodes.length === 1 && top.nodes[0].is === "group" ? top.nodes[0] : top;
  }

  const FIELDED = ["word", "phrase", "shaped", "range"];

  function setField(node, field) {
    if (node.is === "group") node.nodes.forEach((each) => setField(each, field));
    else if (FIELDED.includes(node.is) && node.field === null) node.field = field;
  }

  function withFields(group) {
    const kept = [];
    for (let i = group.nodes.length - 1; i >= 0; i--) {
      let node = group.nodes[i];
      if (node.is === "field") node = { is: "word", text: node.original, start: node.start, field: null };
      else if (node.is === "group") node = withFields(node);
      const before = group.nodes[i - 1];
      if (i > 0 && node.is !== "blank" && before.is === "field") {
        setField(node, before.text);
        i--;
      }
      kept.push(node);
    }
    return { ...group, nodes: kept.reverse() };
  }

  function withoutBlanks(group) {
    const nodes = group.nodes.map((node) => (node.is === "group" ? withoutBlanks(node) : node));
    return { ...group, nodes: nodes.filter((node) => node.is !== "blank") };
  }

  const isInfix = (node) => node.is === "AND" || node.is === "OR";

  function negated(nodes, at) {
    const [operator] = nodes.splice(at, 1);
    if (at < nodes.length && nodes[at].is === "not") negated(nodes, at);
    if (at >= nodes.length || isInfix(nodes[at]) || nodes[at].is === "not") nothingBeside(operator);
    nodes[at] = { is: "group", type: "not", nodes: [nodes[at]] };
  }

  function joined(nodes, at, type) {
    const sides = [...nodes.slice(Math.max(0, at - 1), at), ...nodes.slice(at + 1, at + 2)];
    if (sides.length < 2 || sides.some(isInfix)) nothingBeside(nodes[at]);
    const [left, right] = sides;
    // Parentheses are groups of the type that side by side means: AND.
    if (left.is === "group" && (left.type || "AND") === type) {
      left.nodes.push(right);
      nodes.splice(at, 2);
    } else nodes.splice(at - 1, 3, { is: "group", type, nodes: [left, right] });
  }

  function withOperators(group) {
    const nodes = group.nodes;
    for (let i = 0; i < nodes.length; i++) if (nodes[i].is === "not") negated(nodes, i--);
    for (const type of ["AND", "OR"]) {
      let i = 0;
      while (i < nodes.length) {
        if (nodes[i].is === type) joined(nodes, i, type);
        else i++;
      }
    }
    nodes.forEach((node) => node.is === "group" && withOperators(node));
    return group;
  }

  function valued(node, extra) {
    if (node.is === "group") {
      if (node.type === "not") return { is: "not", part: valued(node.nodes[0], extra) };
      const parts = node.nodes.map((each) => valued(each, extra));
      return parts.length === 1 ? parts[0] : { is: node.type === "OR" ? "or" : "and", parts };
    }
    if (node.is === "phrase") return quoted(node.field, node.text, node.start, extra);
    if (node.is === "shaped") {
      const how = node.sign === "*" ? "prefix" : "fuzzy";
      return shaped(node.field, node.text, how, how === "fuzzy" ? Number(node.distance || 1) : 0, node.start, extra);
    }
    if (node.is === "range") {
      const [low, high] = node.ends.map(trim).map((end) => end.replace(/^'(.*)'$/s, "$1"));
      return between(node.field, low, high, node.open === "{", node.close === "}", node.start, extra);
    }
    if (node.is !== "word") nothingBeside(node);
    return leaf(node.field, node.text, node.start, extra);
  }

  function nothingBeside(node) {
    const name = node.text || node.original;
    throw new QueryError(`${name} has nothing beside it to work on`, node.start, `for the word itself, write "${name}"`);
  }

  function checkPairs(query) {
    const opened = [];
    for (const match of query.matchAll(/"[^"]*("|$)|[()]/g)) {
      if (match[0][0] === '"' && !match[1]) throw new QueryError('a " is never closed', match.index, 'add the closing "');
      if (match[0] === "(") opened.push(match.index);
      else if (match[0] === ")" && !opened.length) {
        const hint = "remove it, or put the text in quotes";
        throw new QueryError("a ) that was never opened", match.index, hint);
      } else if (match[0] === ")") opened.pop();
      if (opened.length > DEEPEST) throw new QueryError("brackets nest too deeply", match.index);
    }
    if (opened.length) throw new QueryError("a ( is never closed", opened[opened.length - 1], "add the closing )");
  }

  // --- queries that need no parser (kb/search/plain.py); it differs from the parser in what sticks to a range ---

  const CHUNK = new RegExp(
    String.raw` *(?:(?<field>[A-Za-z_][\p{L}\p{N}_.-]*):(?!//))?(?:"(?<quoted>[^"]*)"|(?<range>` +
      String.raw`(?<open>[\[{])(?<start>[^\[\]{}]*?)(?:(?<=[\[{ ])[Tt][Oo](?=[ \]}]))(?<end>[^\[\]{}]*?)(?<close>[\]}])` +
      String.raw`)|(?<word>[^ "]+))(?= |$)`,
    "uy",
  );
  const NEEDS_PARSER = /[()*~]|(?<![^ ])-[^ -]|(?<![^ ])(?:AND|OR|NOT)(?![^ ])/u;

  function plainly(query, extra) {
    if (NEEDS_PARSER.test(query.replace(/"[^"]*"/g, '""'))) return null;
    const parts = [];
    const end = query.replace(/ +$/, "").length;
    let at = 0;
    while (at < end) {
      CHUNK.lastIndex = at;
      const chunk = CHUNK.exec(query);
      if (!chunk) return null;
      parts.push(plainPart(chunk, extra));
      at = CHUNK.lastIndex;
    }
    return parts.length === 1 ? parts[0] : and(parts);
  }

  function plainPart(chunk, extra) {
    const { field = null, quoted: phrase, range, word } = chunk.groups;
    const place = chunk.index + chunk[0].length;
    if (phrase !== undefined) return quoted(field, phrase, place - phrase.length - 2, extra);
    if (range === undefined) return leaf(field, word, place - word.length, extra);
    const { open, start, end, close } = chunk.groups;
    return between(field, start, end, open === "{", close === "}", place - range.length, extra);
  }

  // --- from what was typed ---

  const SIGNS = Object.fromEntries(Array.from("：（）＂“”„＊～－＜＞＝［］｛｝，\u3000\0").map((sign, i) => [sign, ':()""""*~-<>=[]{},  '[i]]));
  const BLANK = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/g;
  const BLANKS_AROUND = new RegExp(`^(?:${BLANK.source})+|(?:${BLANK.source})+$`, "g");
  const NUMBERED = /(?<![\p{L}\p{N}_])(?:PR|pull request|issue) #?(\p{Nd}{3,})(?![\p{L}\p{N}_])/giu;

  // The query as values. `extra` are further fields, by name, with what they hold.
  function parse(typed, extra = {}) {
    if (kb.length(typed) > LONGEST) throw new QueryError(`the query is longer than ${LONGEST} characters`, LONGEST);
    let query = typed.replace(/\p{Cs}/gu, "?").replace(/[：（）＂“”„＊～－＜＞＝［］｛｝，\u3000\0]/g, (sign) => SIGNS[sign]);
    query = query.replace(BLANK, " ").replace(NUMBERED, (all, number) => number.padStart(all.length));
    const plain = plainly(query, extra);
    if (plain) return plain;
    checkPairs(query);
    return valued(withOperators(withoutBlanks(withFields(grouped(tagged(query))))), extra);
  }

  // --- words that only ask ---

  const JAPANESE = "\\u30a1-\\u30fa\\u30fc\\u4e00-\\u9fff";
  const PARTICLES = new RegExp(`(?<=[${JAPANESE}])[\\u3041-\\u3096]+(?=[${JAPANESE}]|$)`, "g");
  const SYNTAX = /["():*~[\]]|(?<!\S)-|(?<![\p{L}\p{N}_])(?:AND|OR|NOT)(?![\p{L}\p{N}_])/u;
  const FILLERS = new Set(
    ("a an and are can did do does for from go goes how i in is it matter of on should that the there to was we what" +
      " when where which who why with" +
      " a as com como da das de do dos e em na no o onde os para por qual quais que se um uma").split(" "),
  );
  const ASKING = new Set(
    "can did do does how is what when where which who why como onde por qual quais quando que".split(" "),
  );

  function isQuestion(query) {
    const [, first, rest] = /^([^ ]*) ?(.*)$/s.exec(query.replace(BLANKS_AROUND, ""));
    return Boolean(rest) && ASKING.has(kb.casefold(first));
  }

  function withoutFillers(query) {
    if (SYNTAX.test(query)) return query;
    const kept = query.split(BLANK).filter((word) => word && !FILLERS.has(kb.casefold(word.replace(/^[?？.,!]+|[?？.,!]+$/g, ""))));
    return kept.join(" ").replace(PARTICLES, " ").replace(/[?？]+$/, "");
  }

  Object.assign(kb, { FIELDS, QueryError, closest, dayRange, isQuestion, parse, versionNumbers, withoutFillers });
})(globalThis.kbSearch);
