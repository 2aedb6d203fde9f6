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
    const key = `phrase ${phrase.columns} ${phrase.s}`;
    return data.once(key, () => {
      if (phrase.prefix) return beginning(data, phrase);
      return phrase.tokens.length === 1 && !phrase.columns ? token(data, phrase.tokens[0]) : placed(data, phrase);
    });
  }

  async function token(data, text) {
    const { documents, codes } = await data.postings(text);
    return { documents, weights: codes.map((code) => code >> 1), titled: codes.map((code) => code & 1) };
  }

  async function placed(data, phrase) {
    const lists = await Promise.all(phrase.tokens.map((each) => placesByDocument(data, [each])));
    return following(lists, phrase.columns);
  }

  async function beginning(data, phrase) {
    const last = phrase.tokens[phrase.tokens.length - 1];
    const ends = await data.tokensBeginning(last);
    const before = await Promise.all(phrase.tokens.slice(0, -1).map((each) => placesByDocument(data, [each])));
    return following([...before, await placesByDocument(data, ends)], phrase.columns);
  }

  // document -> places of any of some tokens.
  async function placesByDocument(data, tokens) {
    const found = new Map();
    for (const each of tokens) {
      const [{ documents }, places] = await Promise.all([data.postings(each), data.places(each)]);
      documents.forEach((document, i) => {
        const before = found.get(document);
        found.set(document, before ? before.concat(places[i]) : places[i]);
      });
    }
    return found;
  }

  // Documents in which places of the lists follow one another.
  function following(lists, columns) {
    const [first, ...others] = lists;
    const rarest = lists.reduce((a, b) => (b.size < a.size ? b : a));
    const result = { documents: [], weights: [], titled: [] };
    for (const document of [...rarest.keys()].sort((a, b) => a - b)) {
      if (!lists.every((list) => list.has(document))) continue;
      const after = others.map((list) => new Set(list.get(document)));
      let weight = 0;
      let bits = 0;
      for (const place of first.get(document)) {
        if (!after.every((places, i) => places.has(place + i + 1))) continue;
        const bit = Math.floor(place / kb.COLUMN);
        if (columns && !(columns & (1 << bit))) continue;
        weight += kb.WEIGHTS[bit];
        bits |= 1 << bit;
      }
      if (!weight) continue;
      result.documents.push(document);
      result.weights.push(weight);
      result.titled.push(bits & IN_TITLE ? 1 : 0);
    }
    return result;
  }

  // --- expressions ---

  // Documents that match, one byte each.
  function matching(data, expression) {
    return data.once(`match ${expression.s}`, async () => {
      const mask = new Uint8Array(data.count);
      if (expression.op === "phrase") {
        for (const document of (await found(data, expression)).documents) mask[document] = 1;
        return mask;
      }
      if (expression.op === "not") {
        const [left, right] = await Promise.all([matching(data, expression.left), matching(data, expression.right)]);
        return left.map((met, i) => met & (1 - right[i]));
      }
      const masks = await Promise.all(expression.parts.map((part) => matching(data, part)));
      if (expression.op === "and") mask.fill(1);
      for (const each of masks) {
        for (let i = 0; i < mask.length; i++) mask[i] = expression.op === "and" ? mask[i] & each[i] : mask[i] | each[i];
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
      documents.forEach((document, i) => {
        if (!around[document]) return;
        const weight = weights[i];
        scores[document] += rarity * ((weight * (K1 + 1)) / (weight + K1 * (1 - B + (B * lengths[document]) / average)));
      });
      return undefined;
    };
    await add(expression, mask);
    return { mask, scores };
  }

  const both = (a, b) => a.map((met, i) => met & b[i]);

  // --- ranking ---

  // {hits: [{document, score}], total, mask, scores}; `limit` hits, one for each entry.
  async function ranked(data, asked, text, limit, byDate, filter = null) {
    const documents = await data.documents();
    const conditions = filter ? [...asked.conditions, filter] : asked.conditions;
    if (!asked.wanted.length && !asked.byDocument) return newestEntries(documents, conditions, limit);
    const statement = await statementOf(data, asked, byDate, conditions, documents);
    let best = firstOf(statement, asked, Math.max(POOL, limit), limit, documents);
    if (asked.wanted.length && !byDate) {
      best = await lifted(data, await named(data, statement, best, text, documents), asked);
    }
    const hits = await inLanguage(data, statement, best.slice(0, limit), asked, documents);
    return { hits, total: countEntries(statement.rows, documents), rows: statement.rows };
  }

  // Documents that are found, in order, with what SQL would give as their score: less is better.
  async function statementOf(data, asked, byDate, conditions, documents) {
    const isMet = (document) => conditions.every((mask) => mask[document]);
    if (asked.match && byDate) {
      const mask = await matching(data, asked.match);
      return { rows: newest(documents, (document) => mask[document] && isMet(document)) };
    }
    if (!asked.match && (!asked.wanted.length || byDate)) return { rows: newest(documents, isMet) };
    const { mask, scores } = await scored(data, asked.match || kb.anyOf(asked.wanted));
    const rows = [];
    for (let document = 0; document < data.count; document++) {
      if ((mask[document] || !asked.match) && isMet(document)) rows.push({ document, score: -scores[document] });
    }
    return { rows: rows.sort((a, b) => a.score - b.score || a.document - b.document) };
  }

  function newest(documents, isFound) {
    const rows = [];
    for (const document of documents.newest) if (isFound(document)) rows.push({ document, score: 0 });
    return rows;
  }

  function newestEntries(documents, conditions, limit) {
    const isMet = (document) => documents.isOriginal[document] && conditions.every((mask) => mask[document]);
    const rows = newest(documents, isMet);
    return { hits: rows.slice(0, limit), total: rows.length, rows };
  }

  const LONG_PHRASE = /^[a-z0-9]+$/;

  function firstOf({ rows }, asked, pool, limit, documents) {
    const hasPhrase = asked.match && kb.phrasesOf(asked.match).some((p) => p.tokens.length > 1 && LONG_PHRASE.test(p.tokens[0]));
    if (hasPhrase) return unique(rows, documents).slice(0, pool);
    const best = unique(rows.slice(0, pool), documents);
    return rows.length >= pool && best.length < limit ? unique(rows, documents) : best;
  }

  // The first document of each entry.
  function unique(rows, { entry }) {
    const seen = new Set();
    return rows.filter(({ document }) => !seen.has(entry[document]) && seen.add(entry[document]));
  }

  const countEntries = (rows, { entry }) => new Set(rows.map((row) => entry[row.document])).size;

  // Entries whose id, alias or title is the whole query get a score that no other reaches.
  async function named(data, { rows }, best, text, documents) {
    const key = kb.squash(text);
    const names = new Set(key ? (await data.names(key)).map((row) => row.entry) : []);
    if (!names.size) return best;
    const present = new Set(best.map((row) => documents.entry[row.document]));
    const missing = rows.filter(({ document }) => names.has(documents.entry[document]) && !present.has(documents.entry[document]));
    return [...best, ...unique(missing, documents)].map((row) =>
      names.has(documents.entry[row.document]) ? { ...row, score: row.score - NAMED } : row,
    );
  }

  // The order that the titles give; scores turn positive.
  async function lifted(data, best, asked) {
    const titles = (tokens) => data.once(`titled ${tokens.join(" ")}`, () => titledWith(data, tokens));
    const wanted = await Promise.all(
      asked.wanted.map((each) => Promise.all(kb.phrasesOf(each).map(({ tokens }) => titles(tokens)))),
    );
    const typed = await Promise.all(asked.typed.map(async (each) => [await titles([each])]));
    const share = (document, groups) =>
      groups.filter((group) => group.some((held) => held.has(document))).length / Math.max(1, groups.length);
    return best
      .map(({ document, score }) => ({
        document,
        score: -score * (1 + COVERED * share(document, wanted) + TYPED * share(document, typed)),
      }))
      .sort((a, b) => b.score - a.score || a.document - b.document);
  }

  // Documents whose titles hold some tokens side by side.
  async function titledWith(data, tokens) {
    const { documents, titled } = await found(data, kb.phrase(tokens));
    return new Set(documents.filter((_, i) => titled[i]));
  }

  // Of the documents of an entry that match, the one that holds most of what was typed.
  async function inLanguage(data, { rows }, best, asked, documents) {
    const { entry, several } = documents;
    if (!best.some(({ document }) => several[entry[document]])) return best;
    const typed = [...new Set(asked.typed)].slice(0, MOST_TYPED);
    const held = await Promise.all(typed.map((each) => matching(data, kb.phrase([each]))));
    const count = (document) => held.reduce((sum, mask) => sum + mask[document], 0);
    return best.map(({ document, score }) => {
      if (!several[entry[document]]) return { document, score };
      const matched = rows.map((row) => row.document).filter((other) => entry[other] === entry[document]);
      if (matched.length < 2) return { document, score };
      const first = matched.sort((a, b) => count(b) - count(a) || a - b)[0];
      return { document: first, score };
    });
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
