// The twin of kb/search/rank.py, language.py, facets.py and search.py, and of what FTS5 does for them: which documents an
// expression matches and its bm25(). A phrase counts towards a score where everything around it matches too.
"use strict";
(function (kb) {
  const K1 = 1.2;
  const B = 0.75;
  const POOL = 40;
  const COVERED = 0.4;
  const TYPED = 0.4;
  const NAMED = 1000;
  const FEW = 10;
  const MOST_TYPED = 16;
  const IN_TITLE = (1 << kb.BITS.title) | (1 << kb.BITS.title_names);

  // --- phrases: {documents, codes}, as a token's postings are ---

  function found(data, phrase) {
    return data.lately(`phrase ${phrase.s}`, async () => {
      if (phrase.prefix) return beginning(data, phrase);
      if (phrase.tokens.length === 1 && !phrase.columns) return data.postings(phrase.tokens[0]);
      return following(await Promise.all(phrase.tokens.map((each) => data.places(each))), phrase.columns);
    });
  }

  async function beginning(data, { tokens, columns }) {
    const ends = await data.tokensBeginning(tokens[tokens.length - 1]);
    const before = await Promise.all(tokens.slice(0, -1).map((each) => data.places(each)));
    const isWhole = !before.length && !columns;
    const all = ends.map(async (end) => (isWhole ? data.postings(end) : following([...before, await data.places(end)], columns)));
    return sum(data.count, await Promise.all(all));
  }

  // Several postings as one.
  function sum(count, all) {
    const sums = new Int32Array(count);
    for (const { documents, codes } of all) {
      for (let i = 0; i < documents.length; i++) sums[documents[i]] = added(sums[documents[i]], codes[i]);
    }
    const documents = new Int32Array(count);
    let found = 0;
    for (let document = 0; document < count; document++) if (sums[document]) documents[found++] = document;
    return { documents: documents.subarray(0, found), codes: documents.subarray(0, found).map((each) => sums[each]) };
  }

  // Weights are added, and the mark of a title stays one.
  const added = (code, other) => (code & ~1) + (other & ~1) + ((code | other) & 1);

  // The documents in which places of the lists follow one another.
  function following(lists, columns) {
    const at = new Int32Array(lists.length);
    const rarest = lists.reduce((a, b) => (b.documents.length < a.documents.length ? b : a));
    const documents = new Int32Array(rarest.documents.length);
    const codes = new Int32Array(documents.length);
    let count = 0;
    for (const document of rarest.documents) {
      if (!isInAll(lists, at, document)) continue;
      const code = codeIn(lists, at, columns);
      if (!code) continue;
      documents[count] = document;
      codes[count++] = code;
    }
    return { documents: documents.subarray(0, count), codes: codes.subarray(0, count) };
  }

  function codeIn(lists, at, columns) {
    const inside = lists.map((list, i) => list.starts[at[i]]);
    const { places, starts } = lists[0];
    let code = 0;
    for (let n = inside[0]; n < starts[at[0] + 1]; n++) {
      const place = places[n];
      const bit = Math.floor(place / kb.COLUMN);
      if (columns && !(columns & (1 << bit))) continue;
      if (isFollowed(lists, at, inside, place)) code = added(code, 2 * kb.WEIGHTS[bit] + ((1 << bit) & IN_TITLE ? 1 : 0));
    }
    return code;
  }

  // Whether every list has a document; `at` is how far each has been read.
  function isInAll(lists, at, document) {
    for (let i = 0; i < lists.length; i++) {
      at[i] = reached(lists[i].documents, document, at[i]);
      if (lists[i].documents[at[i]] !== document) return false;
    }
    return true;
  }

  // Whether the other lists go on at a place; `inside` is how far each has been read in this document.
  function isFollowed(lists, at, inside, place) {
    for (let i = 1; i < lists.length; i++) {
      const { places, starts } = lists[i];
      const end = starts[at[i] + 1];
      while (inside[i] < end && places[inside[i]] < place + i) inside[i]++;
      if (inside[i] === end || places[inside[i]] !== place + i) return false;
    }
    return true;
  }

  // The first index from `from` on at which a rising list has at least a value.
  function reached(list, value, from) {
    let step = 1;
    let high = from;
    while (high < list.length && list[high] < value) {
      from = high + 1;
      high += step;
      step *= 2;
    }
    high = Math.min(high, list.length);
    while (from < high) {
      const middle = (from + high) >> 1;
      if (list[middle] < value) from = middle + 1;
      else high = middle;
    }
    return from;
  }

  // --- expressions ---

  // Nothing yet, one byte for each document; some more at the end, so that four can be taken at once.
  const maskOf = (count) => new Uint8Array((count + 3) & ~3);
  const fours = (mask) => new Int32Array(mask.buffer);

  function both(a, b) {
    const mask = maskOf(a.length);
    const [to, one, other] = [mask, a, b].map(fours);
    for (let i = 0; i < to.length; i++) to[i] = one[i] & other[i];
    return mask;
  }

  function either(a, b) {
    const mask = maskOf(a.length);
    const [to, one, other] = [mask, a, b].map(fours);
    for (let i = 0; i < to.length; i++) to[i] = one[i] | other[i];
    return mask;
  }

  function butNot(a, b) {
    const mask = maskOf(a.length);
    const [to, one, other] = [mask, a, b].map(fours);
    for (let i = 0; i < to.length; i++) to[i] = one[i] & ~other[i];
    return mask;
  }

  // Documents that match, one byte each.
  function matching(data, expression) {
    return data.lately(`match ${expression.s}`, async () => {
      if (expression.op === "phrase") {
        const mask = maskOf(data.count);
        const { documents } = await found(data, expression);
        for (let i = 0; i < documents.length; i++) mask[documents[i]] = 1;
        return mask;
      }
      if (expression.op === "not") {
        return butNot(...(await Promise.all([matching(data, expression.left), matching(data, expression.right)])));
      }
      const masks = await Promise.all(expression.parts.map((part) => matching(data, part)));
      return masks.reduce(expression.op === "and" ? both : either);
    });
  }

  // The bm25 of every document that matches, and which those are.
  async function scored(data, expression) {
    const { lengths } = await data.documents();
    const scores = new Float64Array(data.count);
    const average = data.start.tokens / data.count;
    const mask = await matching(data, expression);
    const add = async (each, around) => {
      if (each.op === "not") return add(each.left, both(around, await matching(data, each.left)));
      if (each.op !== "phrase") {
        for (const part of each.parts) await add(part, both(around, await matching(data, part)));
        return undefined;
      }
      const { documents, codes } = await found(data, each);
      let rarity = Math.log((data.count - documents.length + 0.5) / (documents.length + 0.5));
      if (rarity <= 0) rarity = 1e-6;
      for (let i = 0; i < documents.length; i++) {
        const document = documents[i];
        if (!around[document]) continue;
        const weight = codes[i] >> 1;
        scores[document] += rarity * ((weight * (K1 + 1)) / (weight + K1 * (1 - B + (B * lengths[document]) / average)));
      }
      return undefined;
    };
    await add(expression, mask);
    return { mask, scores };
  }

  // --- ranking ---

  // {hits: [{document, score}], total, rows}; `limit` hits, one for each entry.
  async function ranked(data, asked, text, limit, byDate, filter = null) {
    const documents = await data.documents();
    const conditions = filter ? [...asked.conditions, filter] : asked.conditions;
    if (!asked.wanted.length && !asked.byDocument) return newestEntries(data, documents, conditions, limit);
    const rows = await rowsOf(data, asked, byDate, conditions);
    let best = firstOf(rows, asked, Math.max(POOL, limit), limit, documents);
    if (asked.wanted.length && !byDate) {
      best = await lifted(data, await named(data, rows, best, text, documents), asked);
    }
    const hits = await inLanguage(data, rows, best.slice(0, limit), asked, documents);
    return { hits, total: countEntries(rows, documents), rows };
  }

  // Documents that are found. With scores, as SQL has them (less is better), they lie as they are numbered; without, in
  // the order asked for.
  class Rows {
    constructor(documents, scores = null) {
      this.documents = documents;
      this.scores = scores;
    }
    // The first ones in order.
    first(count) {
      const { documents, scores } = this;
      if (!scores) return Array.from(documents.subarray(0, count), (document) => ({ document, score: 0 }));
      let near = documents;
      if (count < documents.length) {
        const each = new Float64Array(documents.length);
        for (let i = 0; i < each.length; i++) each[i] = scores[documents[i]];
        const last = each.sort()[Math.max(0, count - 1)];
        near = documents.filter((document) => scores[document] <= last);
      }
      const rows = Array.from(near, (document) => ({ document, score: scores[document] }));
      return rows.sort((a, b) => a.score - b.score || a.document - b.document).slice(0, count);
    }
    // Those of some entries, in order.
    of(entries, entry) {
      const documents = this.documents.filter((document) => entries.has(entry[document]));
      return new Rows(documents, this.scores).first(documents.length);
    }
  }

  async function rowsOf(data, asked, byDate, conditions) {
    const isMet = metBy(conditions);
    if (asked.match && byDate) {
      const mask = await matching(data, asked.match);
      return newest(data, (document) => mask[document] && isMet(document));
    }
    if (!asked.match && (!asked.wanted.length || byDate)) return newest(data, isMet);
    const { mask, scores } = await scored(data, asked.match || kb.anyOf(asked.wanted));
    const found = new Int32Array(data.count);
    let count = 0;
    for (let document = 0; document < data.count; document++) {
      if (asked.match && !mask[document]) continue;
      if (!isMet(document)) continue;
      found[count++] = document;
      scores[document] = -scores[document];
    }
    return new Rows(found.subarray(0, count), scores);
  }

  function metBy(conditions) {
    return conditions.length ? (document) => conditions.every((mask) => mask[document]) : () => true;
  }

  const newest = async (data, isFound) => new Rows((await data.newest()).filter(isFound));

  async function newestEntries(data, documents, conditions, limit) {
    const isMet = metBy(conditions);
    const rows = await newest(data, (document) => documents.isOriginal[document] && isMet(document));
    return { hits: rows.first(limit), total: rows.documents.length, rows };
  }

  const LONG_PHRASE = /^[a-z0-9]+$/;

  function firstOf(rows, asked, pool, limit, documents) {
    const all = rows.documents.length;
    const hasPhrase = asked.match && kb.phrasesOf(asked.match).some((p) => p.tokens.length > 1 && LONG_PHRASE.test(p.tokens[0]));
    if (hasPhrase) return unique(rows.first(documents.isPlain ? pool : all), documents).slice(0, pool);
    const best = unique(rows.first(pool), documents);
    return all >= pool && best.length < limit ? unique(rows.first(all), documents) : best;
  }

  // The first document of each entry.
  function unique(rows, { entry }) {
    const seen = new Set();
    return rows.filter(({ document }) => !seen.has(entry[document]) && seen.add(entry[document]));
  }

  function countEntries({ documents }, { entry, isPlain }) {
    return isPlain ? documents.length : new Set(documents.map((document) => entry[document])).size;
  }

  // Entries whose id, alias or title is the whole query get a score that no other reaches.
  async function named(data, rows, best, text, { entry }) {
    const key = kb.squash(text);
    const names = new Set(key ? (await data.names(key)).map((row) => row.entry) : []);
    if (!names.size) return best;
    const missing = new Set(names);
    for (const { document } of best) missing.delete(entry[document]);
    const all = missing.size ? [...best, ...unique(rows.of(missing, entry), { entry })] : best;
    return all.map((row) => (names.has(entry[row.document]) ? { ...row, score: row.score - NAMED } : row));
  }

  // The order that the titles give; scores turn positive.
  async function lifted(data, best, asked) {
    const wanted = await Promise.all(
      asked.wanted.map((each) => Promise.all(kb.phrasesOf(each).map(({ tokens }) => titledWith(data, tokens)))),
    );
    const typed = await Promise.all(asked.typed.map(async (each) => [await titledWith(data, [each])]));
    const share = (document, groups) =>
      groups.filter((group) => group.some((isTitled) => isTitled(document))).length / Math.max(1, groups.length);
    return best
      .map(({ document, score }) => ({
        document,
        score: -score * (1 + COVERED * share(document, wanted) + TYPED * share(document, typed)),
      }))
      .sort((a, b) => b.score - a.score || a.document - b.document);
  }

  // Whether the title of a document holds some tokens side by side.
  async function titledWith(data, tokens) {
    const { documents, codes } = await found(data, kb.phrase(tokens));
    return (document) => {
      const at = reached(documents, document, 0);
      return documents[at] === document && (codes[at] & 1) === 1;
    };
  }

  // Of the documents of an entry that match, the one that holds most of what was typed.
  async function inLanguage(data, rows, best, asked, { entry, several }) {
    const mixed = new Set(best.map(({ document }) => entry[document]).filter((number) => several[number]));
    if (!mixed.size) return best;
    const typed = [...new Set(asked.typed)].slice(0, MOST_TYPED);
    const held = await Promise.all(typed.map((each) => matching(data, kb.phrase([each]))));
    const count = (document) => held.reduce((sum, mask) => sum + mask[document], 0);
    const chosen = new Map();
    for (const { document } of rows.of(mixed, entry).sort((a, b) => a.document - b.document)) {
      const before = chosen.get(entry[document]);
      if (before === undefined || count(document) > count(before)) chosen.set(entry[document], document);
    }
    return best.map(({ document, score }) => ({ document: chosen.get(entry[document]) ?? document, score }));
  }

  // --- a search from text to results ---

  // `filter` and `facets` are what the page adds: documents to keep, and fields whose values are to be counted.
  async function search(data, text, { limit = 10, byDate = false, filter = null } = {}) {
    let results = await resultsOf(data, text, text, limit, byDate, filter);
    if (results.total < FEW && (!results.total || kb.isQuestion(text))) {
      const rest = kb.withoutFillers(text);
      if (rest !== text && rest.replace(/\s+/g, "")) results = await resultsOf(data, text, rest, limit, byDate, filter);
    }
    return results;
  }

  async function resultsOf(data, typed, text, limit, byDate, filter) {
    const query = kb.parse(text, data.start.fields);
    data.ahead(text);
    const asked = await kb.compiled(data, query);
    return { text: typed, asked: text, query, compiled: asked, ...(await ranked(data, asked, text, limit, byDate, filter)) };
  }

  function heldOf(all, entries) {
    let count = 0;
    for (let i = 0; i < all.length; i++) count += entries[all[i]];
    return count;
  }

  // Value -> number of entries among some, commonest first. A language counts where an entry has it at all.
  async function counted(data, field, entries) {
    const counts = (await data.facet(field)).map(({ value, entries: all }) => [value, heldOf(all, entries)]);
    return counts.filter(([, n]) => n).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  }

  Object.assign(kb, { counted, maskOf, matching, search });
})(globalThis.kbSearch);
