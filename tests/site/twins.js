// Compares the JavaScript tokenizer and query reader with the fixtures; run in a page (tests/site/test_search_twins.py).
"use strict";
globalThis.kbTwins = (function () {
  const signs = (text, end) => Array.from(text.slice(0, end)).length;

  function tokenised(text) {
    const kb = globalThis.kbSearch;
    const { parts, names } = kb.analyse(text);
    const units = kb.units(text).map((unit) => [unit.parts, unit.name, unit.exact]);
    const spans = kb.spans(text).map((t) => [t.text, signs(text, t.start), signs(text, t.end), t.run]);
    return { text, parts, names, units, spans, squash: kb.squash(text), fold: kb.fold(text), held: kb.held(text) };
  }

  const end = (value) => (Math.abs(value) === Infinity ? null : value);

  function asData(query, text) {
    if (query.is === "and" || query.is === "or") return [query.is, ...query.parts.map((part) => asData(part, text))];
    if (query.is === "not") return ["not", asData(query.part, text)];
    const { is, field } = query;
    if (is === "range") return [is, field, end(query.low), end(query.high), query.openLow, query.openHigh];
    if (is === "versions") return [is, field, query.low, query.high, query.openLow, query.openHigh];
    const first = is === "facet" ? [field, query.value] : [query.text, field];
    return [is, ...first, query.how, query.distance, signs(text, query.position)];
  }

  function read(text, extra) {
    const kb = globalThis.kbSearch;
    const asks = { text, question: kb.isQuestion(text), rest: kb.withoutFillers(text) };
    try {
      return { ...asks, query: asData(kb.parse(text, extra), text) };
    } catch (error) {
      if (!(error instanceof kb.QueryError)) throw error;
      return { ...asks, error: [error.message, signs(text, error.position), error.hint] };
    }
  }

  function differences(expected, give) {
    return expected.flatMap((each) => {
      let got;
      try {
        got = give(each);
      } catch (error) {
        got = String(error.stack);
      }
      return JSON.stringify(got) === JSON.stringify(each) ? [] : [{ expected: each, got }];
    });
  }

  return {
    tokens: (expected) => differences(expected, (each) => tokenised(each.text)),
    queries: (expected, extra) => differences(expected, (each) => read(each.text, extra)),
    near: ({ names, words }) => differences(words, ([word]) => [word, globalThis.kbSearch.closest(word, names)]),
  };
})();
// What the page answers to a query, in the shape of tests/site/answers.py.
globalThis.kbAnswers = async function (root, queries, fields, limit) {
  const kb = globalThis.kbSearch;
  const data = await kb.Data.open(root);
  const documents = await data.documents();

  async function shown(results) {
    const wanted = await kb.wantedOf(data, results.compiled);
    return Promise.all(
      results.hits.map(async ({ document, score }) => {
        const head = await data.head(document);
        return [head.id, head.lang, score, kb.snippet(await data.texts(document), wanted)];
      }),
    );
  }

  async function answer(q) {
    try {
      const results = await kb.search(data, q, { limit });
      const entries = new Uint8Array(data.start.entries);
      for (const document of results.rows.documents) entries[documents.entry[document]] = 1;
      const facets = {};
      for (const field of fields) facets[field] = await kb.counted(data, field, entries);
      const did_you_mean = results.total || !q.trim() ? null : await kb.corrected(data, q, results.query);
      return { q, total: results.total, hits: await shown(results), facets, did_you_mean };
    } catch (error) {
      if (!(error instanceof kb.QueryError)) return { q, crash: String(error.stack) };
      return { q, error: [error.message, error.position, error.hint] };
    }
  }

  const answers = [];
  for (const q of queries) answers.push(await answer(q));
  return answers;
};
