// The data files of the search (kb/site/search): loaded by <script>, so that file:// will do, and each only when asked for.
"use strict";
(function (kb) {
  const ALPHABET = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).filter((c) => !'"\\'.includes(c));
  const SIGNS = new Uint8Array(128);
  ALPHABET.forEach((sign, value) => (SIGNS[sign.charCodeAt(0)] = value));
  const ENDS = 64;
  const MORE = ALPHABET.length - ENDS;

  // Columns of a place, by bit, and what a token weighs in each.
  const BITS = { body: 0, claims: 1, facts: 2, names: 3, tags: 4, title: 5, ident: 6, title_names: 7 };
  const WEIGHTS = [1, 5, 3, 1, 5, 20, 8, 12];
  const COLUMN = 1 << 24;
  const RECENT = 300;
  const FEW = 5;
  const OPERATORS = /["()*~:]|(?:^|\s)(?:OR|NOT|AND|-\S+)(?=\s|$)/;

  // Whole numbers out of their text; one loop and no calls, as a first query unpacks many thousand.
  function unpack(text) {
    const length = text.length;
    const numbers = new Int32Array(length);
    let count = 0;
    let at = 0;
    while (at < length) {
      let sign = SIGNS[text.charCodeAt(at++)];
      if (sign < ENDS) {
        numbers[count++] = sign;
        continue;
      }
      let number = 0;
      let scale = 1;
      while (sign >= ENDS) {
        number += scale * sign;
        scale *= MORE;
        sign = SIGNS[text.charCodeAt(at++)];
      }
      numbers[count++] = number + scale * sign;
    }
    return numbers.subarray(0, count);
  }

  function rising(text) {
    const numbers = unpack(text);
    for (let n = 1; n < numbers.length; n++) numbers[n] += numbers[n - 1];
    return numbers;
  }

  // --- loading ---

  const waiting = new Map();

  // What every data file calls.
  globalThis.kbSearchData = (name, data) => {
    const done = waiting.get(name);
    if (done) done(data);
  };

  class Data {
    constructor(root) {
      this.root = root;
      this.files = new Map();
      this.kept = new Map();
      this.recent = new Map();
    }

    static async open(root) {
      const data = new Data(root);
      const start = await data.load("start");
      return Object.assign(data, { start, count: start.documents });
    }

    load(name) {
      if (!this.files.has(name)) this.files.set(name, this.fetched(name));
      return this.files.get(name);
    }

    fetched(name) {
      return new Promise((resolve, reject) => {
        const script = document.createElement("script");
        waiting.set(name, resolve);
        script.onload = () => script.remove();
        script.onerror = () => {
          this.files.delete(name);
          script.remove();
          reject(new Error(`search/${name}.js could not be loaded`));
        };
        const build = this.start ? `?v=${this.start.build}` : "";
        script.src = `${this.root}search/${name}.js${build}`;
        document.head.append(script);
      });
    }

    // Something made of the data once.
    once(key, make) {
      if (!this.kept.has(key)) this.kept.set(key, make());
      return this.kept.get(key);
    }

    // Something as large as the base has documents: kept for the queries that follow, not for ever.
    lately(key, make) {
      if (!this.recent.has(key)) {
        if (this.recent.size >= RECENT) this.recent.clear();
        this.recent.set(key, make());
      }
      return this.recent.get(key);
    }

    // Starts loading what a query needs whatever it says, and what its words do, alone and together.
    ahead(text) {
      const whole = [this.any(), ...this.fewHeads()]; // first of all, as they are the largest
      const words = text.split(/\s+/).filter((word) => word && !word.includes(":"));
      const terms = words.flatMap((word) => kb.tokens(word)).map((token) => this.of("terms", token));
      const together = OPERATORS.test(text) ? [] : [...kb.namesIn(text).keys()].map((name) => this.hasWord(name));
      const names = text ? [this.names(kb.squash(text))] : [];
      const order = text && !words.length ? [this.newest()] : [];
      [...whole, ...terms, ...together, ...names, ...order].forEach((each) => each.catch(() => null));
    }

    // What every query needs.
    any() {
      return this.load("any");
    }

    // --- documents ---

    documents() {
      return this.once("documents", async () => {
        const found = (await this.any()).documents;
        const lengths = new Float64Array(unpack(found.lengths));
        const isOriginal = new Uint8Array(this.count).fill(1);
        for (const document of rising(found.translations)) isOriginal[document] = 0;
        const entry = new Int32Array(this.count).fill(1);
        const several = new Uint8Array(this.start.entries);
        const further = rising(found.further);
        for (const document of further) entry[document] = 0;
        let number = -1;
        for (let document = 0; document < entry.length; document++) entry[document] = number += entry[document];
        for (const document of further) several[entry[document]] = 1;
        const isPlain = !further.length; // every entry has one document
        return { lengths, entry, isOriginal, several, isPlain };
      });
    }

    // Documents by date, the newest first.
    newest() {
      return this.once("newest", async () => unpack(await this.load("newest")));
    }

    // The language of every document.
    languages() {
      return this.once("languages", async () => {
        const { langs, lang } = await this.load("languages");
        return Array.from(unpack(lang), (number) => langs[number]);
      });
    }

    // --- tokens ---

    part(family, key) {
      const firsts = this.start[family];
      let low = 0;
      let high = firsts.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (firsts[middle] <= key) low = middle + 1;
        else high = middle;
      }
      return Math.max(0, low - 1);
    }

    // Files of a family that may hold what begins alike.
    async beginning(family, text) {
      if (!this.start[family].length) return [];
      const last = this.part(family, text + "\uffff");
      let number = this.part(family, text);
      while (number && this.start[family][number] === text) number--; // one key may lie in two files
      const numbers = [];
      for (; number <= last; number++) numbers.push(number);
      return Promise.all(numbers.map((number) => this.load(`${family}/${number}`)));
    }

    // Documents with a token: {documents, codes}, a code being twice the weight, and one more where it is in the title.
    postings(token) {
      return this.once(`postings ${token}`, async () => {
        const numbers = unpack(await this.of("terms", token));
        const count = numbers.length >> 1;
        const documents = new Int32Array(count);
        const codes = new Int32Array(count);
        let document = 0;
        for (let n = 0; n < count; n++) {
          documents[n] = document += numbers[2 * n];
          codes[n] = numbers[2 * n + 1];
        }
        return { documents, codes };
      });
    }

    // Places of a token: {documents, places, starts}; those in document i are places[starts[i]] to places[starts[i + 1]],
    // rising, each column * COLUMN + place.
    places(token) {
      return this.once(`places ${token}`, async () => {
        const [{ documents }, text] = await Promise.all([this.postings(token), this.of("places", token)]);
        const numbers = unpack(text);
        const places = new Int32Array(numbers.length);
        const starts = new Int32Array(documents.length + 1);
        let at = 0;
        let count = 0;
        for (let i = 0; i < documents.length; i++) {
          const bits = numbers[at++];
          for (let bit = 0; bits >> bit; bit++) {
            if (!(bits & (1 << bit))) continue;
            let left = numbers[at++];
            let place = bit * COLUMN + numbers[at++];
            places[count++] = place;
            for (; left > 0; left--) places[count++] = place += numbers[at++];
          }
          starts[i + 1] = count;
        }
        return { documents, places: places.subarray(0, count), starts };
      });
    }

    async of(family, token) {
      if (!this.start.terms.length) return "";
      const name = filed(token);
      const lines = await this.load(`${family}/${this.part("terms", name)}`);
      const at = lines.indexOf(`\n${name}\t`);
      if (at < 0) return "";
      const start = at + name.length + 2;
      return lines.slice(start, lines.indexOf("\n", start));
    }

    async tokensBeginning(text) {
      const files = await this.beginning("terms", text);
      return files.flatMap((lines) => linesBeginning(lines, text)).map((line) => line.slice(0, line.indexOf("\t")));
    }

    // --- words and names ---

    async words(first) {
      const files = await this.beginning("words", first);
      return files.flatMap((lines) => linesBeginning(lines, first));
    }

    async hasWord(word) {
      if (!this.start.words.length) return false;
      return (await this.load(`words/${this.part("words", word)}`)).includes(`\n${word}\n`);
    }

    // Rows of ids, titles and aliases by key: {key, what (0 id, 1 title, 2 alias), entry, id, name}.
    async names(key) {
      const files = await this.beginning("names", key);
      const rows = files.flat().filter((row) => row[0] === key);
      return rows.map(named);
    }

    async namesBeginning(text) {
      const files = await this.beginning("names", text);
      return files.flat().filter((row) => row[0].startsWith(text)).map(named);
    }

    // Ids of the entries of that id or alias; an id goes before an alias.
    async resolve(name) {
      const rows = (await this.names(kb.squash(name))).filter((row) => row.what !== 1);
      rows.sort((a, b) => a.what - b.what || (a.id < b.id ? -1 : 1));
      return [...new Set(rows.map((row) => row.id))];
    }

    // The vocabulary: for each term a blank line, the token that stands for it, and of each name key, tab and the name
    // where it is another.
    async vocabulary() {
      return (await this.any()).vocabulary;
    }

    // --- facets and numbers ---

    // Values of a facet: [{value, entries, key, held}].
    facet(field) {
      return this.once(`facet ${field}`, async () => {
        const found = await this.facetFile(field);
        if (!found) return [];
        return found.values.map((value, i) => ({ value, entries: rising(found.entries[i]) }));
      });
    }

    // Those that stand beside the hits are in one file: they are counted together.
    async facetFile(field) {
      if (Object.hasOwn(this.start.counts, field)) return (await this.load("shown"))[field];
      return Object.hasOwn(this.start.facets, field) ? this.load(`facets/${this.start.facets[field]}`) : null;
    }

    // The same with what a typed value is compared with.
    spelled(field) {
      return this.once(`spelled ${field}`, async () => {
        if (field === "lang" || field === "outcome") return [];
        const values = await this.facet(field);
        return values.map((each) => ({ ...each, key: kb.squash(each.value), held: kb.held(each.value) }));
      });
    }

    // Numbers of a field: of each its entry, and where its lowest and highest lie among the values.
    numbers(field) {
      return this.once(`numbers ${field}`, async () => {
        if (!Object.hasOwn(this.start.numbers, field)) return { values: [], entries: [], lows: [], highs: [] };
        const { values, rows } = await this.load(`numbers/${this.start.numbers[field]}`);
        const numbers = unpack(rows);
        const [entries, lows, highs] = [0, 1, 2].map(() => new Int32Array(numbers.length / 3));
        let entry = 0;
        for (let n = 0; n < entries.length; n++) {
          entries[n] = entry += numbers[3 * n];
          lows[n] = numbers[3 * n + 1];
          highs[n] = lows[n] + numbers[3 * n + 2];
        }
        return { values, entries, lows, highs };
      });
    }

    // --- what is shown ---

    async head(document) {
      const [number, place] = this.placeOf("heads", document);
      const { forms, lines } = await this.once(`heads ${number}`, async () => {
        const [forms, text] = await this.load(`heads/${number}`);
        return { forms, lines: text.split("\n") };
      });
      const [title, id, date, form, counts] = lines[place].split("\t");
      const [kind, lang, before, after] = forms[form];
      const outcomes = counts ? counts.split(",").map((each) => each.split(" ")) : [];
      const address = after === undefined ? before : before + id + after;
      return { id, kind, lang, title, date: date || null, address, outcomes: Object.fromEntries(outcomes) };
    }

    // What snippets are cut from.
    async texts(document) {
      const [number, place] = this.placeOf("texts", document);
      return (await this.load(`texts/${number}`))[place];
    }

    // In which file of a family a document is, and which of it.
    placeOf(family, document) {
      const firsts = this.once(family, () => rising(this.start[family]));
      let number = firsts.length - 1;
      while (firsts[number] > document) number--;
      return [number, document - firsts[number]];
    }

    // Where files of heads are few (tables.py, `heads`), hits lie in nearly all: no need to wait until it is known in which.
    fewHeads() {
      const files = this.once("heads", () => rising(this.start.heads));
      return files.length > FEW ? [] : Array.from(files, (_, number) => this.load(`heads/${number}`));
    }
  }

  // The name under which a token lies: what is about a term is beside the term.
  const filed = (token) => (token[0] === "\ue003" ? `\ue001${token.slice(1)}\ue003` : token);

  function named([key, what, entry, id, name = id]) {
    return { key, what, entry, id, name };
  }

  function asHead([id, kind, lang, title, date, address, outcomes, begins]) {
    return { id, kind, lang, title, date, address, outcomes, begins };
  }

  function linesBeginning(lines, text) {
    const found = [];
    for (let at = lines.indexOf("\n" + text); at >= 0; at = lines.indexOf("\n" + text, at + 1)) {
      const end = lines.indexOf("\n", at + 1);
      if (end > 0) found.push(lines.slice(at + 1, end));
    }
    return found;
  }

  Object.assign(kb, { BITS, COLUMN, Data, OPERATORS, WEIGHTS, asHead });
})(globalThis.kbSearch);
