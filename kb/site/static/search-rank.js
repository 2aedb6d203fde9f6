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

  // --- phrases: {documents, weights, titled}, documents rising ---

  function found(data, phrase) {
    return data.lately(`phrase ${phrase.s}`, async () => {
      const sum = new Sum(data.count);
      if (phrase.prefix) await addBeginning(data, phrase, sum);
      else if (phrase.tokens.length === 1 && !phrase.columns) addToken(await data.postings(phrase.tokens[0]), sum);
      else addFollowing(await Promise.all(phrase.tokens.map((each) => data.places(each))), phrase.columns, sum);
      return sum.result();
    });
  }

  // Weights by document.
  class Sum {
    constructor(count) {
      this.weights = new Float32Array(count); // whole numbers, exact to sixteen millions
      this.titled = new Uint8Array(count);
    }
    add(document, weight, isTitled) {
      this.weights[document] += weight;
      if (isTitled) this.titled[document] = 1;
    }
    result() {
      const documents = new Int32Array(this.weights.length);
      let count = 0;
      for (let document = 0; document < documents.length; document++) {
        if (this.weights[document]) documents[count++] = document;
      }
      return { documents: documents.slice(0, count), weights: this.weights, titled: this.titled };
    }
  }

  function addToken({ documents, codes }, sum) {
    for (let i = 0; i < documents.length; i++) sum.add(documents[i], codes[i] >> 1, codes[i] & 1);
  }

  async function addBeginning(data, { tokens, columns }, sum) {
    const ends = await data.tokensBeginning(tokens[tokens.length - 1]);
    const before = await Promise.all(tokens.slice(0, -1).map((each) => data.places(each)));
    for (const end of ends) {
      if (!before.length && !columns) addToken(await data.postings(end), sum);
      else addFollowing([...before, await data.places(end)], columns, sum);
    }
  }

  // Adds the documents in which places of the lists follow one another.
  function addFollowing(lists, columns, sum) {
    const at = new Int32Array(lists.length);
    const rarest = lists.reduce((a, b) => (b.documents.length < a.documents.length ? b : a));
    for (const document of rarest.documents) {
      if (!isInAll(lists, at, document)) continue;
      const inside = lists.map((list, i) => list.starts[at[i]]);
      const { places, starts } = lists[0];
      for (let n = inside[0]; n < starts[at[0] + 1]; n++) {
        const place = places[n];
        const bit = Math.floor(place / kb.COLUMN);
        if (columns && !(columns & (1 << bit))) continue;
        if (isFollowed(lists, at, inside, place)) sum.add(document, kb.WEIGHTS[bit], (1 << bit) & IN_TITLE);
      }
    }
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

  // Documents that match, one byte each.
  function matching(data, expression) {
    return data.lately(`match ${expression.s}`, async () => {
      const mask = new Uint8Array(data.count);
      if (expression.op === "phrase") {
        for (const document of (await found(data, expression)).documents) mask[document] = 1;
        return mask;
      }
      if (expression.op === "not") {
        const [left, right] = await Promise.all([matching(data, expression.left), matching(data, expression.right)]);
        for (let i = 0; i < mask.length; i++) mask[i] = left[i] & (1 - right[i]);
        return mask;
      }
      const masks = await Promise.all(expression.parts.map((part) => matching(data, part)));
      const isAnd = expression.op === "and";
      if (isAnd) mask.fill(1);
      for (const each of masks) {
        if (isAnd) for (let i = 0; i < mask.length; i++) mask[i] &= each[i];
        else for (let i = 0; i < mask.length; i++) mask[i] |= each[i];
      }
      return mask;
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
      const { documents, weights } = await found(data, each);
      let rarity = Math.log((data.count - documents.length + 0.5) / (documents.length + 0.5));
      if (rarity <= 0) rarity = 1e-6;
      for (const document of documents) {
        if (!around[document]) continue;
        const weight = weights[document];
        scores[document] += rarity * ((weight * (K1 + 1)) / (weight + K1 * (1 - B + (B * lengths[document]) / average)));
      }
      return undefined;
    };
    await add(expression, mask);
    return { mask, scores };
  }

  function both(a, b) {
    const mask = new Uint8Array(a.length);
    for (let i = 0; i < mask.length; i++) mask[i] = a[i] & b[i];
    return mask;
  }

  // --- ranking ---

  // {hits: [{document, score}], total, rows}; `limit` hits, one for each entry.
  async function ranked(data, asked, text, limit, byDate, filter = null) {
    const documents = await data.documents();
    const conditions = filter ? [...asked.conditions, filter] : asked.conditions;
    if (!asked.wanted.length && !asked.byDocument) return newestEntries(documents, conditions, limit);
    const rows = await rowsOf(data, asked, byDate, conditions, documents);
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

  async function rowsOf(data, asked, byDate, conditions, documents) {
    const isMet = metBy(conditions);
    if (asked.match && byDate) {
      const mask = await matching(data, asked.match);
      return newest(documents, (document) => mask[document] && isMet(document));
    }
    if (!asked.match && (!asked.wanted.length || byDate)) return newest(documents, isMet);
    const { mask, scores } = await scored(data, asked.match || kb.anyOf(asked.wanted));
    const found = new Int32Array(data.count);
    let count = 0;
    for (let document = 0; document < data.count; document++) {
      if ((mask[document] || !asked.match) && isMet(document)) found[count++] = document;
    }
    return new Rows(found.subarray(0, count), scores.map((score) => -score));
  }

  function metBy(conditions) {
    return conditions.length ? (document) => conditions.every((mask) => mask[document]) : () => true;
  }

  const newest = (documents, isFound) => new Rows(documents.newest.filter(isFound));

  function newestEntries(documents, conditions, limit) {
    const isMet = metBy(conditions);
    const rows = newest(documents, (document) => documents.isOriginal[document] && isMet(document));
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
      groups.filter((group) => group.some((held) => held[document])).length / Math.max(1, groups.length);
    return best
      .map(({ document, score }) => ({
        document,
        score: -score * (1 + COVERED * share(document, wanted) + TYPED * share(document, typed)),
      }))
      .sort((a, b) => b.score - a.score || a.document - b.document);
  }

  // Documents whose titles hold some tokens side by side, one byte each.
  async function titledWith(data, tokens) {
    return (await found(data, kb.phrase(tokens))).titled;
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

  // Value -> number of entries among some, commonest first. A language counts where an entry has it at all.
  async function counted(data, field, entries) {
    const counts = (await data.facet(field)).map(({ value, entries: all }) => [value, all.filter((e) => entries[e]).length]);
    return counts.filter(([, n]) => n).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  }

  Object.assign(kb, { counted, matching, search });
})(globalThis.kbSearch);
