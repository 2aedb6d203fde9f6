// The search page: state is in the address (q, facets, ranges, sort), so that a search can be linked to and gone back to.
// Everything that comes from records is set as text.
"use strict";
(function (kb) {
  const page = document.querySelector("[data-search]");
  if (!page) return;

  const FACETS = {
    outcome: "Outcome", kind: "Kind", component: "Component", model: "Model", hardware: "Hardware",
    topology: "Topology", source: "Who measured", lang: "Language", year: "Year",
  };
  const RANGES = {
    qps: "Requests per second", concurrency: "Concurrency", input_tokens: "Input tokens",
    output_tokens: "Output tokens", ttft: "TTFT, ms", tpot: "TPOT, ms", effect: "Effect, factor", date: "Date",
  };
  const LANGUAGES = { en: "English", ja: "日本語", pt: "português" };
  const STEP = 10;
  const SHOWN = 8;
  const PAUSE = 250;
  const THINK = 700;

  const find = (selector) => page.querySelector(selector);
  const form = find("form");
  const input = find("#search-q");
  const sort = find("#search-sort");
  const status = find(".search-status");
  const problem = find(".search-problem");
  const chosen = find(".search-chosen");
  const body = find(".search-body");
  const facets = find(".search-facets");
  const filters = find(".search-filters");
  const list = find(".search-hits");
  const more = find(".search-more");
  const root = page.dataset.root;

  const opened = kb.Data.open(root);
  let ready = null;
  opened.then((data) => (ready = data), () => null);
  const unfolded = new Set();
  let limit = STEP;
  let turn = 0;

  // --- small things ---

  function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (value === null || value === false) continue;
      if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
      else made.setAttribute(key, value === true ? "" : value);
    }
    made.append(...children.filter((child) => child !== null));
    return made;
  }

  const button = (text, onclick, label = null) =>
    element("button", { type: "button", class: "search-button", "aria-label": label, onclick }, text);
  const plural = (count, one, several = `${one}s`) => `${count.toLocaleString("en")} ${count === 1 ? one : several}`;
  const valueName = (field, value) => (field === "lang" && LANGUAGES[value]) || value;
  const fieldName = (field) => FACETS[field] || RANGES[field] || field;

  // --- state ---

  // {q, sort, facets: {field: [value]}, ranges: {field: [low, high]}} of the address.
  function stateOf(address) {
    const asked = new URLSearchParams(address);
    const state = { q: asked.get("q") || "", sort: asked.get("sort") === "date" ? "date" : "relevance", facets: {}, ranges: {} };
    for (const field of Object.keys(FACETS)) {
      const values = asked.getAll(field);
      if (values.length) state.facets[field] = [...new Set(values)];
    }
    for (const field of Object.keys(RANGES)) {
      const ends = /^(.*?)\.\.(.*)$/.exec(asked.get(field) || "");
      if (ends && (ends[1] || ends[2])) state.ranges[field] = [ends[1], ends[2]];
    }
    return state;
  }

  function addressOf(state) {
    const asked = new URLSearchParams();
    if (state.q) asked.set("q", state.q);
    for (const [field, values] of Object.entries(state.facets)) values.forEach((value) => asked.append(field, value));
    for (const [field, ends] of Object.entries(state.ranges)) asked.set(field, ends.join(".."));
    if (state.sort === "date") asked.set("sort", "date");
    return asked.size ? `?${asked}` : "";
  }

  let state = stateOf(location.search);

  function go(changed, { keep = false } = {}) {
    state = { ...state, ...changed };
    limit = STEP;
    if (ready && (state.q.trim() || isFiltered())) ready.ahead(""); // files come while the address is written
    const address = location.pathname + addressOf(state);
    if (keep) history.replaceState(null, "", address);
    else if (location.pathname + location.search !== address) history.pushState(null, "", address);
    show();
  }

  function toggled(field, value) {
    const values = state.facets[field] || [];
    const left = values.includes(value) ? values.filter((each) => each !== value) : [...values, value];
    const { [field]: _, ...others } = state.facets;
    return { facets: left.length ? { ...others, [field]: left } : others };
  }

  function ranged(field, ends) {
    const { [field]: _, ...others } = state.ranges;
    return { ranges: ends[0] || ends[1] ? { ...others, [field]: ends } : others };
  }

  const isFiltered = () => Object.keys(state.facets).length + Object.keys(state.ranges).length > 0;

  // --- filters: documents to keep, one byte each, by field ---

  async function filtersOf(data) {
    const found = {};
    for (const [field, values] of Object.entries(state.facets)) {
      const known = await data.facet(field);
      found[field] = await kb.ofEntries(data, known.filter((each) => values.includes(each.value)).map((each) => each.entries));
    }
    for (const [field, [low, high]] of Object.entries(state.ranges)) {
      const asked = await kb.compiled(data, kb.parse(`${field}:[${low || "*"} TO ${high || "*"}]`, data.start.fields));
      found[field] = asked.conditions[0];
    }
    return found;
  }

  function allBut(filters, left, count) {
    const masks = Object.entries(filters).filter(([field]) => field !== left).map(([, mask]) => mask);
    const kept = new Uint8Array(count).fill(1);
    for (const mask of masks) for (let i = 0; i < count; i++) kept[i] &= mask[i];
    return kept;
  }

  // --- the whole page ---

  async function show({ typing = false } = {}) {
    const mine = ++turn;
    const isOld = () => mine !== turn;
    const began = performance.now();
    if (document.activeElement !== input || !typing) input.value = typing ? input.value : state.q;
    sort.value = state.sort;
    sort.parentElement.hidden = !state.q.trim(); // nothing is better than another: the newest come first
    try {
      const data = await opened;
      if (isOld()) return;
      if (!state.q.trim() && !isFiltered() && state.sort !== "date" && limit === STEP) showStart(data);
      else await showFound(data, isOld, typing, began);
      if (!isOld()) page.dataset.shown = location.search;
    } catch (error) {
      if (!isOld()) showProblem(error);
    }
  }

  function showStart(data) {
    clearProblem();
    body.hidden = false;
    status.textContent = `${plural(data.start.entries, "entry", "entries")}, the newest first`;
    listHits(data.start.newest.map((row) => ({ head: kb.asHead(row), document: null })));
    more.hidden = data.start.entries <= STEP;
    showChosen();
    const counts = Object.fromEntries(Object.entries(data.start.counts).map(([field, [values, total]]) => [field, { values, total }]));
    showFacets(data, counts);
  }

  async function showFound(data, isOld, typing, began) {
    const filters = await filtersOf(data);
    const filter = Object.keys(filters).length ? allBut(filters, null, data.count) : null;
    const asked = state.q.trim() || "*";
    const options = { limit, byDate: state.sort === "date" };
    const results = await kb.search(data, asked, { ...options, filter });
    const hits = await Promise.all(results.hits.map(async (hit) => headOf(data, hit)));
    if (isOld()) return;
    clearProblem();
    body.hidden = false;
    listHits(hits);
    more.hidden = results.total <= hits.length;
    say(results, hits.length);
    showChosen();
    page.dataset.milliseconds = String(performance.now() - began);
    const rest = [showSnippets(data, results, hits, isOld), countFacets(data, results, filters, isOld)];
    if (!results.total) rest.push(showNothing(data, results, isOld, typing));
    await Promise.all(rest);
    if (!isOld()) page.dataset.settled = String(performance.now() - began);
  }

  // The hit's head; in the language that was chosen, where there is one.
  async function headOf(data, { document }) {
    const langs = state.facets.lang;
    if (!langs) return { document, head: await data.head(document) };
    const [{ entry }, lang] = await Promise.all([data.documents(), data.languages()]);
    if (!langs.includes(lang[document])) {
      const other = lang.findIndex((each, i) => entry[i] === entry[document] && langs.includes(each));
      if (other >= 0) document = other;
    }
    return { document, head: await data.head(document) };
  }

  function say(results, shown) {
    const less = results.asked === results.text ? "" : `, without the words that only ask`;
    const part = shown < results.total ? `, ${shown} shown` : "";
    status.textContent = results.total ? `${plural(results.total, "entry", "entries")}${part}${less}` : "Nothing found";
  }

  // --- hits ---

  function listHits(hits) {
    list.replaceChildren(...hits.map(({ head }) => hitOf(head)));
  }

  function hitOf(head) {
    const outcomes = Object.entries(head.outcomes).map(([outcome, count]) =>
      element("span", { class: "search-outcome", "data-outcome": outcome }, `${count} ${outcome}`),
    );
    const about = [element("code", {}, head.id), head.kind, ...outcomes, head.date, head.lang === "en" ? null : valueName("lang", head.lang)];
    return element(
      "li",
      { class: "search-hit", "data-id": head.id },
      element("h3", { class: "search-title" }, element("a", { href: root + head.address, lang: head.lang }, head.title)),
      element("p", { class: "search-about" }, ...about.filter(Boolean).flatMap((each, i) => (i ? [" · ", each] : [each]))),
      element("p", { class: "search-snippet", lang: head.lang }, head.begins || ""),
    );
  }

  async function showSnippets(data, results, hits, isOld) {
    const all = hits.map(({ document }) => data.texts(document));
    const wanted = await kb.wantedOf(data, results.compiled);
    const texts = await Promise.all(all);
    if (isOld()) return;
    const items = list.children;
    hits.forEach(({ head }, i) => {
      const place = items[i].querySelector(".search-snippet");
      mark(place, kb.snippet(texts[i], wanted), wanted);
      place.hidden = !place.hasChildNodes();
      mark(items[i].querySelector("a"), head.title, wanted);
    });
  }

  function mark(place, text, wanted) {
    place.replaceChildren(...kb.marked(text, wanted).map(([piece, isWanted]) => (isWanted ? element("mark", {}, piece) : piece)));
  }

  // --- what was chosen ---

  function showChosen() {
    const chips = [
      ...Object.entries(state.facets).flatMap(([field, values]) =>
        values.map((value) => chip(`${fieldName(field)}: ${valueName(field, value)}`, () => go(toggled(field, value)))),
      ),
      ...Object.entries(state.ranges).map(([field, ends]) =>
        chip(`${fieldName(field)}: ${rangeName(ends)}`, () => go(ranged(field, ["", ""]))),
      ),
    ];
    if (chips.length > 1) chips.push(button("Remove all filters", () => go({ facets: {}, ranges: {} })));
    chosen.replaceChildren(...chips);
    chosen.hidden = !chips.length;
  }

  const rangeName = ([low, high]) => (low && high ? `${low} to ${high}` : low ? `from ${low}` : `to ${high}`);
  const chip = (text, onclick) => button(`${text} ×`, onclick, `Remove the filter ${text}`);

  // --- facets ---

  async function countFacets(data, results, filters, isOld) {
    const { entry } = await data.documents();
    // What is found without any filter; each facet is counted among what the other filters leave.
    const base = Object.keys(filters).length ? await kb.search(data, results.asked, { limit: 0 }) : results;
    const counts = {};
    for (const field of Object.keys(FACETS)) {
      const kept = allBut(filters, field, data.count);
      const entries = new Uint8Array(data.start.entries);
      for (const document of base.rows.documents) if (kept[document]) entries[entry[document]] = 1;
      const values = await kb.counted(data, field, entries);
      counts[field] = { values, total: values.length };
    }
    if (!isOld()) showFacets(data, counts);
  }

  function showFacets(data, counts) {
    const focused = document.activeElement && facets.contains(document.activeElement) ? document.activeElement.id : null;
    const fields = Object.keys(FACETS).map((field) => facetOf(field, counts[field] || { values: [], total: 0 }));
    facets.replaceChildren(...fields.filter(Boolean), rangesOf(data));
    const again = focused && document.getElementById(focused);
    if (again) again.focus();
  }

  function facetOf(field, { values, total }) {
    const picked = state.facets[field] || [];
    const missing = picked.filter((value) => !values.some(([known]) => known === value)).map((value) => [value, 0]);
    let all = [...values, ...missing];
    if (!all.length) return null;
    if (field === "year") all = all.sort((a, b) => (a[0] < b[0] ? 1 : -1));
    const isWhole = unfolded.has(field) || all.length <= SHOWN + 1;
    const shown = isWhole ? all : all.filter(([value], i) => i < SHOWN || picked.includes(value));
    const whole = `All ${Math.max(total, all.length)}`;
    return element(
      "fieldset",
      { class: "search-facet", "data-field": field },
      element("legend", {}, fieldName(field)),
      element("ul", {}, ...shown.map(([value, count], i) => choiceOf(field, value, count, i, picked))),
      isWhole ? null : button(whole, () => unfold(field), `${whole} values of ${fieldName(field)}`),
    );
  }

  function choiceOf(field, value, count, number, picked) {
    const id = `search-${field}-${number}`;
    const box = element("input", { type: "checkbox", id, value, checked: picked.includes(value), onchange: () => go(toggled(field, value)) });
    const label = element("label", { for: id }, valueName(field, value), " ", element("span", { class: "search-count" }, String(count)));
    return element("li", {}, box, label);
  }

  function unfold(field) {
    unfolded.add(field);
    if (state.q || isFiltered()) show();
    else go({ q: "*" }); // more values than the first file has
  }

  function rangesOf(data) {
    const known = Object.keys(RANGES).filter((field) => Object.hasOwn(data.start.numbers, field));
    const isOpen = known.some((field) => state.ranges[field]) || find(".search-ranges[open]") !== null;
    return element("details", { class: "search-ranges", open: isOpen }, element("summary", {}, "Ranges"), ...known.map(rangeOf));
  }

  function rangeOf(field) {
    const ends = state.ranges[field] || ["", ""];
    const changed = (event) => {
      const inputs = event.target.closest("fieldset").querySelectorAll("input");
      go(ranged(field, Array.from(inputs, (each) => each.value.trim())));
    };
    const end = (number, name) => {
      const id = `search-${field}-${name}`;
      const hint = field === "date" ? "2026-06" : null;
      const mode = field === "date" ? null : "decimal";
      const box = element("input", { id, type: "text", inputmode: mode, placeholder: hint, size: 8, value: ends[number], onchange: changed });
      return [element("label", { for: id }, name), " ", box, " "];
    };
    return element("fieldset", { class: "search-range", "data-field": field }, element("legend", {}, fieldName(field)), ...end(0, "from"), ...end(1, "to"));
  }

  // --- nothing, and what cannot be understood ---

  async function showNothing(data, results, isOld, typing) {
    if (typing) await new Promise((resolve) => setTimeout(resolve, THINK));
    if (isOld()) return;
    const lines = [];
    const meant = await kb.corrected(data, results.text, results.query);
    if (meant) lines.push(element("p", {}, "Did you mean ", button(meant, () => go({ q: meant })), "?"));
    if (isFiltered()) {
      const { total } = await kb.search(data, results.text, { limit: 0 });
      const text = total ? `${plural(total, "entry", "entries")} without the filters` : "Nothing without the filters either";
      lines.push(element("p", {}, total ? button(text, () => go({ facets: {}, ranges: {} })) : text));
    }
    const alone = await eachWord(data, results.text);
    if (alone.length) lines.push(element("p", {}, "Each word alone: ", ...alone));
    lines.push(...missingFields(data, results.query).map((text) => element("p", {}, text)));
    const kinds = Object.entries(data.start.kinds).map(([kind, count]) => plural(count, kind)).join(", ");
    lines.push(element("p", {}, `All words must occur: leave some out, or join them with OR. The base holds ${kinds}.`));
    if (isOld()) return;
    list.replaceChildren(element("li", { class: "search-nothing" }, ...lines));
  }

  async function eachWord(data, text) {
    const words = text.trim().split(/\s+/);
    const isPlain = words.length > 1 && words.length < 9 && !kb.OPERATORS.test(text);
    if (!isPlain) return [];
    const totals = await Promise.all(words.map((word) => kb.search(data, word, { limit: 0 }).then(({ total }) => total, () => 0)));
    return words.flatMap((word, i) => [i ? ", " : "", button(word, () => go({ q: word })), ` ${totals[i]}`]);
  }

  function missingFields(data, query) {
    const asksOutcome = leavesOf(query).some((leaf) => leaf.field === "outcome");
    if (asksOutcome && !data.start.counts.outcome[1]) return ["This site was built without verdicts: no entry has an outcome."];
    const facet = leavesOf(query).find((leaf) => leaf.field === "kind");
    const kind = facet && facet.value;
    const held = data.start.kind_fields[kind];
    if (!held) return [];
    const asked = leavesOf(query).filter((leaf) => ["facet", "range", "versions"].includes(leaf.is)).map((leaf) => leaf.field);
    const absent = [...new Set(asked)].filter((field) => !held.includes(field) && !["kind", "lang", "outcome", "date"].includes(field));
    return absent.map((field) => `No ${kind} has the field ${field}.`);
  }

  function leavesOf(query) {
    if (query.parts) return query.parts.flatMap(leavesOf);
    return query.part ? leavesOf(query.part) : [query];
  }

  function showProblem(error) {
    const isOurs = error instanceof kb.QueryError;
    if (!isOurs) console.error(error);
    status.textContent = "";
    list.replaceChildren();
    more.hidden = true;
    showChosen();
    const near = isOurs && /^did you mean "(.*)"\?$/.exec(error.hint || "");
    const field = near && /^unknown field "(.*)"$/.exec(error.message);
    const mended = field && state.q.replace(`${field[1]}:`, () => `${near[1]}:`);
    const hint = mended ? ["Did you mean ", button(mended, () => go({ q: mended })), "?"] : [error.hint || ""];
    const said = isOurs ? `${error.message}.` : `The search data could not be read: ${error.message}.`;
    problem.replaceChildren(element("p", {}, said), element("p", {}, ...hint));
    problem.hidden = false;
    page.dataset.shown = location.search;
  }

  function clearProblem() {
    problem.hidden = true;
    problem.replaceChildren();
  }

  // --- hands on the page ---

  let pause = 0;
  input.addEventListener("input", () => {
    clearTimeout(pause);
    pause = setTimeout(() => {
      state = { ...state, q: input.value };
      limit = STEP;
      history.replaceState(null, "", location.pathname + addressOf(state));
      show({ typing: true });
    }, PAUSE);
  });
  input.addEventListener("focus", () => opened.then((data) => data.ahead(""), () => null));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(pause);
    go({ q: input.value });
  });
  sort.addEventListener("change", () => go({ sort: sort.value }));
  more.addEventListener("click", async () => {
    const shown = list.children.length;
    limit += STEP;
    await show();
    const next = list.children[shown];
    if (next && next.querySelector("a")) next.querySelector("a").focus();
  });
  window.addEventListener("popstate", () => {
    state = stateOf(location.search);
    limit = STEP;
    show();
  });
  page.addEventListener("keydown", (event) => {
    const links = Array.from(list.querySelectorAll(".search-title a"));
    const at = links.indexOf(document.activeElement);
    const isInList = at >= 0;
    let next = null;
    if (event.key === "ArrowDown" && document.activeElement === input) next = links[0];
    else if (event.key === "ArrowDown" && isInList) next = links[at + 1];
    else if (event.key === "ArrowUp" && isInList) next = at ? links[at - 1] : input;
    else if (event.key === "Escape" && isInList) next = input;
    if (!next) return;
    event.preventDefault();
    next.focus();
  });

  // Beside the hits where there is room, folded above them where there is not.
  const isWide = matchMedia("(min-width: 52rem)");
  const unfoldWide = () => (filters.open = isWide.matches);
  isWide.addEventListener("change", unfoldWide);
  unfoldWide();

  show();
})(globalThis.kbSearch);
