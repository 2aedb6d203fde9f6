// The twin of kb/search/match.py, terms.py, values.py and compile.py: what is asked for -> expressions over tokens, as
// FTS5 has them, and conditions on documents.
//
// An expression is a phrase {op: "phrase", tokens, prefix, columns} or {op: "and" | "or", parts} or {op: "not", left,
// right}; `s` is the text that Python gives to FTS5, by which doubles are known.
"use strict";
(function (kb) {
  const LONGEST_NAME = 6;
  const LONG_NAME = 14;
  const LONGEST_TERM = 16;
  const MOST_PARTS = 250;
  const COLUMNS = { title: ["title", "title_names"], id: ["ident"], claim: ["claims"], body: ["body"] };
  const NAMELESS = ["id", "claim", "body"];
  const CLOSED_FIELDS = ["kind", "lang", "source", "status", "outcome", "prefix_caching"];
  const BY_ALIAS = ["component", "connector", "engine"];

  // --- expressions ---

  const phrase = (tokens, prefix = false) => ({
    op: "phrase", tokens, prefix, columns: 0, s: `"${tokens.join(" ")}"${prefix ? "*" : ""}`,
  });

  function anyOf(expressions) {
    const parts = [...new Map(expressions.map((each) => [each.s, each])).values()];
    return parts.length === 1 ? parts[0] : { op: "or", parts, s: `(${parts.map((p) => p.s).join(" OR ")})` };
  }

  function allOf(parts) {
    return parts.length === 1 ? parts[0] : { op: "and", parts, s: `(${parts.map((p) => p.s).join(" AND ")})` };
  }

  const butNot = (left, right) => ({ op: "not", left, right, s: `(${left.s} NOT ${right.s})` });

  // The same in some columns only.
  function within(expression, field) {
    const columns = COLUMNS[field].reduce((bits, name) => bits | (1 << kb.BITS[name]), 0);
    const narrowed = (each) => {
      if (each.op === "phrase") return { ...each, columns, s: `${columns}:${each.s}` };
      return each.op === "and" ? allOf(each.parts.map(narrowed)) : anyOf(each.parts.map(narrowed));
    };
    const name = field === "title" ? "{title title_names}" : COLUMNS[field][0];
    return { ...narrowed(expression), s: `${name} : (${expression.s})` };
  }

  // Every phrase of an expression, in order, negated ones included.
  function phrasesOf(expression) {
    if (expression.op === "phrase") return [expression];
    const parts = expression.op === "not" ? [expression.left, expression.right] : expression.parts;
    return parts.flatMap(phrasesOf);
  }

  // --- terms of the vocabulary in a text ---

  const keyOf = (tokens) => tokens.map((token) => token.text).join(" ");

  // Stretches of tokens that could be a term, first and longest first; an identifier is not cut.
  function windows(found) {
    const starts = found.map((t, i) => t.run === null || !i || found[i - 1].run !== t.run);
    const ends = found.map((t, i) => t.run === null || i + 1 === found.length || found[i + 1].run !== t.run);
    const stretches = [];
    found.forEach((_, a) => {
      for (let b = Math.min(found.length, a + LONGEST_TERM); starts[a] && b > a; b--) {
        if (ends[b - 1]) stretches.push([a, b]);
      }
    });
    return stretches;
  }

  // The text cut at the terms in it: {text, concepts, whole}.
  async function segments(data, text) {
    const vocabulary = await data.vocabulary();
    const found = kb.spans(text);
    const isFirst = found.map((token) => [" ", "\t"].some((end) => vocabulary.includes(`\n${token.text}${end}`)));
    const cut = [];
    let done = 0;
    let after = 0;
    for (const [a, b] of windows(found)) {
      if (!isFirst[a] || found[a].start < after) continue;
      const concepts = conceptsOf(vocabulary, keyOf(found.slice(a, b)));
      if (!concepts.length) continue;
      after = found[b - 1].end;
      let end = after;
      while (text[end] === "ー" || text[end] === "ｰ") end++;
      cut.push({ text: text.slice(done, found[a].start), concepts: [], whole: false });
      cut.push({ text: text.slice(found[a].start, end), concepts, whole: b - a === found.length });
      done = end;
    }
    if (!cut.length) return [{ text, concepts: [], whole: false }];
    return [...cut, { text: text.slice(done), concepts: [], whole: false }];
  }

  // Tokens that stand for the terms with a name of that key.
  function conceptsOf(vocabulary, key) {
    const concepts = new Set();
    const line = `\n${key}\t`;
    for (let at = vocabulary.indexOf(line); at >= 0; at = vocabulary.indexOf(line, at + 1)) {
      const start = vocabulary.lastIndexOf("\n\n", at) + 2;
      concepts.add(vocabulary.slice(start, vocabulary.indexOf("\n", start)));
    }
    return [...concepts];
  }

  async function termNames(data, concepts) {
    const vocabulary = await data.vocabulary();
    return concepts.flatMap((concept) => {
      const at = vocabulary.indexOf(`\n\n${concept}\n`);
      if (at < 0) return [];
      const start = at + concept.length + 3;
      const rows = vocabulary.slice(start, vocabulary.indexOf("\n\n", start)).split("\n");
      return rows.map((row) => row.split("\t")).map(([key, name]) => ({ key, name: name || key }));
    });
  }

  async function longKeys(data, concepts) {
    const names = await termNames(data, concepts);
    return [...new Set(names.filter(({ name }) => name.includes(" ")).map(({ key }) => key))].filter((k) => k.includes(" ")).sort();
  }

  // --- text ---

  // Expressions of free words, all of which must match; a term matches by any of its names.
  async function words(data, text) {
    if (!text) return [];
    const found = [];
    for (const segment of await segments(data, text)) {
      const typed = kb.units(segment.text).map((unit) => unitOf(unit));
      if (!segment.concepts.length) found.push(...typed);
      else found.push(await term(data, segment, typed.length === 1 ? typed[0] : phrase(kb.tokens(segment.text))));
    }
    const names = found.length > 1 ? await speltTogether(data, text) : [];
    return names.length ? [anyOf([allOf(found), allOf([anyOf(names), ...found])])] : found;
  }

  async function speltTogether(data, text) {
    const names = namesIn(text);
    const known = await Promise.all([...names.keys()].map(async (name) => ((await data.hasWord(name)) ? [name] : [])));
    return known.flat().sort().map((name) => anyOf([phrase([name]), phrase(names.get(name))]));
  }

  // What words beside each other are together, with the tokens they are apart.
  function namesIn(text) {
    const found = kb.spans(text);
    const several = windows(found).filter(([a, b]) => b - a <= LONGEST_NAME && found[a].run !== found[b - 1].run);
    return new Map(several.map(([a, b]) => [
      kb.squash(text.slice(found[a].start, found[b - 1].end)), found.slice(a, b).map((token) => token.text),
    ]));
  }

  async function term(data, segment, typed) {
    const about = segment.concepts.map((concept) => phrase(["\ue003" + concept.slice(1)]));
    const long = segment.text.includes(" ") ? await longKeys(data, segment.concepts) : [];
    return anyOf([
      ...segment.concepts.map((concept) => phrase([concept])),
      ...about,
      ...(kb.length(typed.s) > LONG_NAME ? [typed] : []),
      ...long.map((key) => phrase(key.split(" "))),
    ]);
  }

  function unitOf(unit, field = null) {
    const { parts, name, exact } = unit;
    if (name === null) return parts.length === 1 ? single(parts[0]) : phrase(parts);
    if (NAMELESS.includes(field)) return phrase(parts);
    return exact ? phrase([name]) : anyOf([phrase([name]), phrase(parts)]);
  }

  // A Japanese character alone stands for every pair it begins.
  const single = (part) => phrase([part], kb.length(part) === 1 && part > "\u1100");

  // The expression of one leaf; null when nothing in it can be searched for.
  async function textOf(data, node) {
    const inner = await innerOf(data, node);
    return inner === null || node.field === null ? inner : within(inner, node.field);
  }

  async function innerOf(data, node) {
    if (node.how === "phrase") return quoted(data, node);
    if (node.how === "prefix") return prefix(node.text);
    if (node.how === "fuzzy") return fuzzy(data, node);
    const found = node.field === null
      ? await words(data, node.text)
      : kb.units(node.text).map((unit) => unitOf(unit, node.field));
    return found.length ? allOf(found) : null;
  }

  async function quoted(data, node) {
    const found = kb.tokens(node.text);
    if (!found.length) return null;
    if (node.field === null) {
      const whole = (await segments(data, node.text)).find((segment) => segment.concepts.length && segment.whole);
      if (whole) return term(data, whole, phrase(found));
    }
    const units = kb.units(node.text);
    return units.length === 1 && units[0].exact ? unitOf(units[0], node.field) : phrase(found);
  }

  function prefix(text) {
    const found = kb.spans(text);
    if (!found.length) return null;
    const last = found[found.length - 1];
    const tokens = found.map((token) => token.text);
    if (last.text > "\u1100") return phrase(tokens, kb.length(last.text) === 1);
    const typed = kb.fold(text.slice(last.start, last.end));
    return anyOf([phrase([...tokens.slice(0, -1), typed], true), phrase([kb.squash(text)], true)]);
  }

  async function fuzzy(data, node) {
    const near = await kb.nearWords(data, node.text, node.distance);
    if (near === null) {
      const units = kb.units(node.text);
      return units.length ? allOf(units.map((unit) => unitOf(unit))) : null;
    }
    const found = near.length ? near : [kb.squash(node.text)];
    const spelt = found.map((word) => allOf(kb.units(word).map((unit) => unitOf(unit))));
    return anyOf([...found.map((word) => phrase([word])), ...spelt]);
  }

  // --- values of a field ---

  // The stored values meant, with the entries that have them.
  async function resolved(data, query) {
    const known = await data.spelled(query.field);
    const key = kb.squash(query.value);
    if (query.how === "prefix") return key ? known.filter((each) => each.key.startsWith(key)) : [];
    if (query.how === "fuzzy") {
      return key ? known.filter((each) => kb.errors(each.key, key, query.distance) <= query.distance) : [];
    }
    const keys = new Set([key, ...(await otherKeys(data, query))]);
    const part = heldIn(query.value);
    const exact = known.filter((each) => keys.has(each.key));
    if (CLOSED_FIELDS.includes(query.field) || (exact.length && query.field === "component")) return exact;
    return known.filter((each) => keys.has(each.key) || (part && each.held.includes(part)));
  }

  async function otherKeys(data, query) {
    const ids = BY_ALIAS.includes(query.field) ? await data.resolve(query.value) : [];
    const concepts = conceptsOf(await data.vocabulary(), kb.tokens(query.value).join(" "));
    const names = await termNames(data, concepts);
    return [...ids, ...names.map(({ name }) => name)].map(kb.squash);
  }

  function heldIn(value) {
    const units = kb.units(value);
    if (units.length === 1 && units[0].exact) return ` ${units[0].name} `;
    return units.length ? ` ${kb.tokens(value).join(" ")} ` : "";
  }

  // --- conditions: documents that meet them, as one byte each ---

  // Documents of the entries in some lists.
  async function ofEntries(data, lists) {
    const { entry } = await data.documents();
    const has = new Uint8Array(data.start.entries);
    for (const entries of lists) for (let i = 0; i < entries.length; i++) has[entries[i]] = 1;
    const mask = kb.maskOf(data.count);
    for (let document = 0; document < entry.length; document++) mask[document] = has[entry[document]];
    return mask;
  }

  async function filter(data, query) {
    const condition = (mask, byDocument = false) => ({ condition: mask, wanted: [], byDocument });
    if (query.is === "range") return condition(await ofEntries(data, [await inRange(data, query)]));
    if (query.is === "versions") {
      const values = (await data.spelled(query.field)).filter((each) => inside(query, each.value));
      return condition(await ofEntries(data, values.map((each) => each.entries)));
    }
    if (query.field === "lang") {
      const lang = await data.languages();
      return condition(Uint8Array.from(lang, (each) => each === query.value), true);
    }
    const values = query.field === "outcome"
      ? (await data.facet("outcome")).filter((each) => each.value === kb.casefold(query.value))
      : await resolved(data, query);
    return condition(await ofEntries(data, values.map((each) => each.entries)));
  }

  async function inRange(data, { field, low, high, openLow, openHigh }) {
    const above = (end) => low === -Infinity || low === Infinity || (openLow ? end > low : end >= low);
    const below = (start) => high === Infinity || high === -Infinity || (openHigh ? start < high : start <= high);
    const { values, entries, lows, highs } = await data.numbers(field);
    const [isAbove, isBelow] = [values.map(above), values.map(below)];
    return entries.filter((_, n) => isAbove[highs[n]] && isBelow[lows[n]]);
  }

  function compared(a, b) {
    for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i] - b[i];
    return a.length - b.length;
  }

  function inside(query, value) {
    const numbers = kb.versionNumbers(value);
    if (!numbers) return false;
    const low = query.low ? compared(numbers, query.low) : 1;
    const high = query.high ? compared(numbers, query.high) : -1;
    return (low > 0 || (low === 0 && !query.openLow)) && (high < 0 || (high === 0 && !query.openHigh));
  }

  // --- a query as a whole ---

  // {match, conditions, wanted, typed, byDocument}, as kb.search.compile.Compiled.
  async function compiled(data, query) {
    if (size(query) > MOST_PARTS) throw new kb.QueryError("the query has too many parts", 0, `use at most ${MOST_PARTS}`);
    const pieces = await piecesOf(data, flat(query));
    if (!pieces.length && !(query.is === "and" && !query.parts.length)) {
      const message = "nothing to search for: no letters or digits";
      throw new kb.QueryError(message, 0, "type a word, or * for everything");
    }
    const match = matchOf(pieces);
    const left = pieces.filter((piece) => !(match && (piece.match || piece.without)));
    return {
      match,
      conditions: await Promise.all(left.map((piece) => conditionOf(data, piece))),
      wanted: pieces.flatMap(wantedOf),
      typed: typed(query),
      byDocument: pieces.some((piece) => piece.byDocument),
    };
  }

  const wantedOf = (piece) => (piece.match ? [piece.match] : piece.wanted || []);

  function typed(query) {
    if (query.is === "text") return kb.tokens(query.text);
    return query.is === "and" || query.is === "or" ? query.parts.flatMap(typed) : [];
  }

  function flat(query) {
    return query.is === "and" && query.parts.length ? query.parts.flatMap(flat) : [query];
  }

  async function piecesOf(data, parts) {
    const pieces = [];
    let free = [];
    for (const part of [...parts, null]) {
      if (part && part.is === "text" && part.field === null && part.how === "word") {
        free.push(part.text);
        continue;
      }
      const found = await words(data, free.join(" "));
      pieces.push(...found.map((match) => ({ match, byDocument: true })));
      free = [];
      const piece = part && (await pieceOf(data, part));
      if (piece) pieces.push(piece);
    }
    return pieces;
  }

  async function pieceOf(data, query) {
    if (query.is === "text") {
      const match = await textOf(data, query);
      return match && { match, byDocument: true };
    }
    if (query.is === "and") {
      if (!query.parts.length) return { condition: new Uint8Array(data.count).fill(1), wanted: [] };
      return conjunction(data, await piecesOf(data, flat(query)));
    }
    if (query.is === "or") {
      const pieces = await Promise.all(query.parts.map((part) => pieceOf(data, part)));
      return disjunction(data, pieces.filter(Boolean));
    }
    if (query.is === "not") {
      const piece = await pieceOf(data, query.part);
      return piece && negation(data, piece);
    }
    return filter(data, query);
  }

  async function conjunction(data, pieces) {
    const match = pieces.every((piece) => piece.match || piece.without) && matchOf(pieces);
    if (match) return { match, byDocument: true };
    return pieces.length ? joined(data, pieces, (a, b) => a & b) : null;
  }

  function matchOf(pieces) {
    const matches = pieces.filter((piece) => piece.match).map((piece) => piece.match);
    const without = pieces.filter((piece) => piece.without).map((piece) => piece.without);
    if (!matches.length) return null;
    return without.length ? butNot(allOf(matches), anyOf(without)) : allOf(matches);
  }

  async function disjunction(data, pieces) {
    if (pieces.every((piece) => piece.match)) {
      return pieces.length ? { match: anyOf(pieces.map((piece) => piece.match)), byDocument: true } : null;
    }
    return joined(data, pieces, (a, b) => a | b);
  }

  async function negation(data, piece) {
    if (piece.match) return { without: piece.match, byDocument: true };
    if (piece.without) return { match: piece.without, byDocument: true };
    const mask = await conditionOf(data, piece);
    return { condition: mask.map((met) => 1 - met), wanted: [], byDocument: piece.byDocument };
  }

  async function joined(data, pieces, join) {
    const masks = await Promise.all(pieces.map((piece) => conditionOf(data, piece)));
    return {
      condition: masks.reduce((found, mask) => found.map((met, i) => join(met, mask[i]))),
      wanted: pieces.flatMap(wantedOf),
      byDocument: pieces.some((piece) => piece.byDocument),
    };
  }

  async function conditionOf(data, piece) {
    if (piece.condition) return piece.condition;
    const mask = await kb.matching(data, piece.match || piece.without);
    return piece.match ? mask : mask.map((met) => 1 - met);
  }

  function size(query) {
    if (query.is === "and" || query.is === "or") return query.parts.reduce((sum, part) => sum + size(part), 0);
    return query.is === "not" ? size(query.part) : 1;
  }

  Object.assign(kb, { anyOf, compiled, namesIn, ofEntries, phrase, phrasesOf, resolved, termNames, textOf });
})(globalThis.kbSearch);
