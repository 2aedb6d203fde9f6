// The twin of kb/search/spell.py, suggest.py and snippet.py: misspellings, what was meant, and why an entry was found.
"use strict";
(function (kb) {
  const NAME = 0.9;
  const MOST = 50;
  const LENGTH = 160;
  const LETTER = /^[\p{L}\p{N}]/u;

  // --- spelling ---

  // Typing errors between two words (insert, drop, replace, swap neighbours), or more than `most` if it is more.
  function errors(first, second, most) {
    const a = Array.from(first);
    const b = Array.from(second);
    if (Math.abs(a.length - b.length) > most) return most + 1;
    if (first === second) return 0;
    // Row x, column y + 1: errors between the beginnings of x + 1 and y + 1 signs.
    let before = null;
    let row = [0, ...b.map((_, y) => y + 1)];
    for (let x = 0; x < a.length; x++) {
      const above = row;
      row = [x + 1];
      for (let y = 0; y < b.length; y++) {
        let count = Math.min(above[y + 1] + 1, row[y] + 1, above[y] + (a[x] === b[y] ? 0 : 1));
        if (x > 0 && y > 0 && a[x] === b[y - 1] && a[x - 1] === b[y] && a[x] !== b[y]) {
          count = Math.min(count, before[y - 1] + 1);
        }
        row.push(count);
      }
      before = above;
      if (most && x > most && Math.min(...row) > most) return most + 1;
    }
    return row[b.length];
  }

  const mostErrors = (key) => (kb.length(key) < 5 ? 1 : 2);

  // The candidate that was meant: the nearest, then the weightiest, then the first of the alphabet; or null.
  function best(key, candidates) {
    const most = mostErrors(key);
    let chosen = null;
    for (const { word, key: other, weight = 0 } of candidates) {
      const count = errors(key, other, most);
      if (count > most) continue;
      const score = weight - count;
      if (!chosen || score > chosen.score || (score === chosen.score && word < chosen.word)) chosen = { word, score };
    }
    return chosen && chosen.word;
  }

  // Words of the index at most so many errors away that begin alike; null for text that is no single word.
  async function nearWords(data, text, distance) {
    const word = kb.squash(text);
    if (!word || word > "\u1100" || !LETTER.test(word)) return null;
    const words = await data.words(Array.from(word)[0]);
    return words.filter((other) => errors(word, other, distance) <= distance);
  }

  // --- did you mean ---

  // The query with what is unknown in it replaced by what is near, or null.
  async function corrected(data, text, query) {
    let result = text;
    for (const leaf of wantedLeaves(query)) {
      const better = await respelt(data, leaf);
      if (better) result = result.replace(leaf.is === "facet" ? leaf.value : leaf.text, () => better);
    }
    return result === text ? null : result;
  }

  function wantedLeaves(query) {
    if (query.is === "and" || query.is === "or") return query.parts.flatMap(wantedLeaves);
    return query.is === "text" || query.is === "facet" ? [query] : [];
  }

  async function respelt(data, leaf) {
    if (leaf.is === "facet") return (await kb.resolved(data, leaf)).length ? null : valueMeant(data, leaf);
    if (leaf.how === "phrase" || leaf.how === "prefix" || (await isFound(data, leaf))) return null;
    return wordMeant(data, leaf.text, leaf.field === "id");
  }

  async function valueMeant(data, leaf) {
    const values = await data.spelled(leaf.field);
    const near = best(kb.squash(leaf.value), values.map(({ value, key }) => ({ word: value, key })));
    return near && near.includes(" ") && leaf.how !== "phrase" ? `"${near}"` : near;
  }

  async function isFound(data, leaf) {
    const expression = await kb.textOf(data, leaf);
    return expression === null || (await kb.matching(data, expression)).includes(1);
  }

  async function wordMeant(data, text, namesOnly) {
    const key = kb.squash(text);
    const rows = key ? await data.namesBeginning(Array.from(key)[0]) : [];
    const names = new Map(rows.filter((row) => row.what !== 1).map((row) => [row.name, row.key]));
    const words = namesOnly ? [] : (await nearWords(data, text, mostErrors(key))) || [];
    const counted = await Promise.all(words.slice(0, MOST).map((word) => weighed(data, word)));
    return best(key, [
      ...counted.filter(({ word, weight }) => weight && !names.has(word)),
      ...[...names].map(([word, other]) => ({ word, key: other, weight: NAME })),
    ]);
  }

  async function weighed(data, word) {
    const { documents } = await data.postings(word);
    return { word, key: word, weight: documents.length ? 0.5 * (1 - 1 / (1 + documents.length)) : 0 };
  }

  // --- snippets ---

  // Tokens to look for in texts, and beginnings of tokens: what was asked for, by any of its names.
  async function wantedOf(data, compiled) {
    const phrases = compiled.wanted.flatMap(kb.phrasesOf);
    const concepts = phrases.flatMap(({ tokens }) => tokens.filter((token) => token.startsWith("\ue001")));
    const names = await kb.termNames(data, [...new Set(concepts)]);
    const tokens = new Set();
    const beginnings = [];
    const sequences = [];
    for (const { tokens: all, prefix } of [...phrases, ...names.map(({ key }) => ({ tokens: key.split(" ") }))]) {
      const whole = prefix ? all.slice(0, -1) : all;
      if (prefix) beginnings.push(all[all.length - 1]);
      sequences.push({ tokens: all, prefix });
      for (const token of whole.filter(Boolean)) {
        tokens.add(token);
        if (kb.isAscii(token)) kb.tokens(token).forEach((part) => tokens.add(part));
      }
    }
    return { tokens, beginnings, sequences, stem: stemOf([...tokens, ...beginnings]) };
  }

  // What a word has to hold for a token of it to be wanted: folding a plural changes two letters.
  function stemOf(tokens) {
    const stems = tokens.filter(kb.isAscii).map((token) => token.slice(0, Math.max(1, token.length - 2)).replace(/\./g, "\\."));
    return new RegExp(["[^\\x00-\\x7f]", ...new Set(stems)].join("|"), "g");
  }

  const holds = (wanted, token) => wanted.tokens.has(token) || wanted.beginnings.some((each) => token.startsWith(each));

  // Places of wanted tokens in a text of one line: [{start, end, text}].
  function placesOf(text, wanted) {
    const found = [];
    for (const [start, word] of likely(text, wanted)) {
      for (const token of kb.spans(word)) {
        if (holds(wanted, token.text)) found.push({ start: start + token.start, end: start + token.end, text: token.text });
      }
    }
    return found;
  }

  function* likely(text, wanted) {
    const low = text.toLowerCase();
    if (low.length !== text.length) {
      yield [0, text];
      return;
    }
    let end = 0;
    for (;;) {
      wanted.stem.lastIndex = end;
      const match = wanted.stem.exec(low);
      if (!match) return;
      const blank = text.slice(end, match.index).lastIndexOf(" ");
      const start = blank >= 0 ? end + blank + 1 : end;
      end = text.indexOf(" ", match.index);
      if (end < 0) end = text.length;
      yield [start, text.slice(start, end)];
    }
  }

  // The densest window over the first of some texts that holds something wanted; else null.
  function snippet(texts, wanted) {
    for (const text of texts) {
      const places = placesOf(text, wanted);
      if (places.length) return cut(text, Math.max(0, densest(places) - Math.floor(LENGTH / 4)));
    }
    const first = texts.find(Boolean);
    return first ? cut(first, 0) : "";
  }

  function densest(places) {
    let [start, most, end] = [0, 0, 0];
    places.forEach((place, at) => {
      end = Math.max(end, at);
      while (end < places.length && places[end].start < place.start + Math.floor((LENGTH * 3) / 4)) end++;
      const different = new Set(places.slice(at, end).map(({ text }) => text)).size;
      if (different > most) [start, most] = [place.start, different];
    });
    return start;
  }

  // A window of the text, moved to word ends where there are some near.
  function cut(text, start) {
    if (start) {
      const blank = text.indexOf(" ", start);
      start = blank >= 0 && blank < start + 25 ? blank + 1 : start;
    }
    let end = Math.min(text.length, start + LENGTH);
    if (end < text.length) {
      const blank = text.lastIndexOf(" ", end - 1);
      end = blank >= Math.max(start + 1, end - 25) ? blank : end;
    }
    return (start ? "…" : "") + text.slice(start, end).trim() + (end < text.length ? "…" : "");
  }

  // A text in pieces: [text, whether it was searched for]. Of a name of several words all stand side by side: "to" alone
  // is not what was meant by "time to first token".
  function marked(text, wanted) {
    const pieces = [];
    let end = 0;
    for (const place of sequencesIn(text, wanted)) {
      if (place.end <= end) continue;
      const start = Math.max(end, place.start);
      pieces.push([text.slice(end, start), false], [text.slice(start, place.end), true]);
      end = place.end;
    }
    return [...pieces, [text.slice(end), false]].filter(([piece]) => piece);
  }

  function sequencesIn(text, wanted) {
    const found = kb.spans(text);
    const places = [];
    found.forEach((first, at) => {
      const lengths = wanted.sequences.filter((each) => isAt(found, at, each)).map(({ tokens }) => tokens.length);
      if (lengths.length) places.push({ start: first.start, end: found[at + Math.max(...lengths) - 1].end });
    });
    return places;
  }

  function isAt(found, at, { tokens, prefix }) {
    return tokens.every((token, i) => {
      const here = found[at + i] ? found[at + i].text : "";
      return here === token || (prefix && i === tokens.length - 1 && here.startsWith(token));
    });
  }

  Object.assign(kb, { corrected, errors, marked, nearWords, snippet, wantedOf });
})(globalThis.kbSearch);
