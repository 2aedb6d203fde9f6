/* Evaluations side by side. State is in the address, as `kb compare` takes it: compare.html?a=ID/ARM&b=ID. Facts come from
   evaluations/ID/compare.js, what they mean together from compare-rules.js. */
(function () {
  "use strict";
  var form = document.getElementById("compare-form"), out = document.getElementById("compare"), SLOTS = ["a", "b", "c", "d"];
  if (!form || !out) { return; }
  var root = form.dataset.root || "", got = {}, coming = {}, known = null;

  window.kbCompare = function (id, data) { got[id] = data; };

  function make(name, options) {
    var node = document.createElement(name), rest = Array.prototype.slice.call(arguments, 2);
    Object.keys(options || {}).forEach(function (key) {
      if (options[key] !== null && options[key] !== undefined) { node.setAttribute(key, options[key]); }
    });
    rest.forEach(function add(each) {
      if (Array.isArray(each)) { each.forEach(add); }
      else if (each !== null && each !== undefined && each !== "") {
        node.appendChild(typeof each === "object" ? each : document.createTextNode(String(each)));
      }
    });
    return node;
  }
  function script(address) {
    return new Promise(function (resolve) {
      var node = make("script", { src: root + address });
      node.onload = function () { resolve(true); };
      node.onerror = function () { resolve(false); };
      document.head.appendChild(node);
    });
  }
  function load(id) { // once: an evaluation beside itself is one evaluation
    coming[id] = coming[id] || script("evaluations/" + encodeURIComponent(id) + "/compare.js").then(function () { return got[id] || null; });
    return coming[id];
  }

  // The form: an evaluation and an arm in each slot

  function arms(slot, wanted) {
    var select = form.elements[slot + "-arm"], id = form.elements[slot].value;
    select.replaceChildren(make("option", { value: "" }, "Arm by arm"));
    select.disabled = true;
    return (id ? load(id) : Promise.resolve(null)).then(function (item) {
      if (!item || form.elements[slot].value !== id) { return; }
      item.arms.forEach(function (arm) {
        if (!arm.whole) { select.append(make("option", { value: arm.id }, item.titles[arm.id] || arm.id)); }
      });
      select.disabled = select.options.length < 2;
      if (wanted && !item.arms.some(function (arm) { return arm.id === wanted; })) { select.append(make("option", { value: wanted }, wanted)); }
      select.value = wanted || "";
    });
  }
  function asked() {
    var query = new URLSearchParams(location.search);
    return Promise.all(SLOTS.map(function (slot) {
      var parts = (query.get(slot) || "").split("/"), select = form.elements[slot];
      select.value = parts[0];
      if (!parts[0] || select.value !== parts[0]) { select.value = ""; return arms(slot).then(function () { return parts[0] ? { gone: parts[0] } : null; }); }
      return arms(slot, parts[1]).then(function () { return { id: parts[0], arm: parts[1] || null, item: got[parts[0]] || null }; });
    })).then(function (found) { room(); return found.filter(Boolean); });
  }
  function room() { // a slot is offered when those before it are taken
    SLOTS.slice(2).forEach(function (slot, n) {
      form.elements[slot].closest("fieldset").hidden = !form.elements[slot].value && !form.elements[SLOTS[n + 1]].value;
    });
  }
  function name(each) { return each.id + (each.arm ? "/" + each.arm : ""); }
  function title(each) { return each.item.title + (each.arm ? ": " + (each.item.titles[each.arm] || each.arm) : ""); }

  function badge(outcome) {
    return make("span", { "class": "outcome outcome-" + outcome.name, title: outcome.means },
      make("span", { "class": "sign", "aria-hidden": "true" }, outcome.sign), outcome.word);
  }
  function table(label, heads, rows) {
    return make("div", { "class": "scroll", tabindex: "0", role: "region", "aria-label": label }, make("table", { "class": "beside stack" },
      make("thead", {}, make("tr", {}, heads.map(function (each) { return make("th", { scope: "col" }, each); }))),
      make("tbody", {}, rows.map(function (row) { return line(row[0], row[1], heads); }))));
  }
  function line(first, cells, heads) { // each value with the name of its column, which stands beside it where it is narrow
    return make("tr", {}, make("th", { scope: "row" }, first), cells.map(function (each, n) {
      return make("td", { "class": each.muted ? "muted" : each.num ? "num" : null, "data-label": heads[n + 1] }, each.text);
    }));
  }
  var ANSWER = {
    yes: "yes: their numbers may be divided, row by row",
    no: "no: their numbers may not be divided",
    unknown: "unknown: nobody can say as long as this is not known"
  };
  var MATTERS = { yes: "Differs, and matters", unknown: "Not known on at least one side", no: "Differs, and does not matter" };

  function command(one, other) { return make("code", {}, "kb compare " + name(one) + " " + name(other)); }
  function verdict(one, other, found, alone) {
    if (found.refused) {
      return make("article", { "class": "claim compare-unknown", "data-pair": name(one) + " " + name(other) },
        make("p", {}, make("b", {}, "Which arms? "), found.refused + "."), make("p", { "class": "fine" }, "Choose an arm above (" + found.hint + ")."));
    }
    var open = found.reasons.filter(function (each) { return each.truth === "unknown"; }), against = found.reasons.filter(function (each) { return each.truth === "no"; });
    var inside = one.id === other.id, heads = found.arms.map(function (pair) { return pair.join(" | "); }).join("; ");
    var left = taken(one, 0, found), right = taken(other, 1, found);
    return make("article", { "class": "claim compare-" + found.comparable, "data-pair": name(one) + " " + name(other), "data-comparable": found.comparable },
      make("p", {}, make("b", {}, "Comparable: "), ANSWER[found.comparable]),
      make("p", { "class": "fine" }, title(left), " | ", title(right)),
      make("p", { "class": "fine" }, "Arms set beside each other: ", heads, ". ", inside ? "One evaluation: its own tool measured both arms. " : null, command(one, other), " says the same."),
      against.length ? make("ul", {}, against.map(function (each) {
        return make("li", {}, each.says, each.one || each.other ? make("span", { "class": "muted" }, " (" + (each.one || "–") + " | " + (each.other || "–") + ")") : null);
      })) : null,
      open.length ? make("p", {}, "Not known on at least one side, and needed for a ratio: ", fields(open).map(function (each, n) { return [n ? ", " : "", make("code", { title: each.says.join("; ") }, each.name)]; })) : null,
      make("details", alone ? { open: "" } : {}, make("summary", {}, "What differs (" + found.differences.length + ")"), differing(left, right, found)),
      make("details", alone ? { open: "" } : {}, make("summary", {}, "Numbers (" + found.metrics.length + ")"), numbers(left, right, found)));
  }
  function fields(reasons) { // each once, with all that is said of it
    var by = new Map();
    reasons.forEach(function (each) {
      var name = each.field === "where" ? "load point" : each.field;
      by.set(name, (by.get(name) || []).concat([each.says]));
    });
    return Array.from(by, function (each) { return { name: each[0], says: each[1] }; });
  }
  function taken(each, end, found) { // with the arm that is meant, where there is one pair of them
    var id = found.arms.length === 1 ? found.arms[0][end] : each.arm;
    var known = each.item.arms.some(function (arm) { return !arm.whole && arm.id === id; });
    return { id: each.id, item: each.item, arm: known ? id : each.arm };
  }
  function differing(one, other, found) {
    var several = found.arms.length > 1, heads = ["Key", name(one), name(other), "Why"], same = Object.keys(found.same);
    return [["yes", "unknown", "no"].map(function (material) {
      var rows = found.differences.filter(function (each) { return each.material === material; });
      if (!rows.length) { return null; }
      return [make("h3", {}, MATTERS[material] + " (" + rows.length + ")"), table(MATTERS[material], heads, rows.map(function (each) {
        return [[make("code", {}, each.key), several && each.arm ? make("span", { "class": "muted" }, " " + each.arm) : null],
          [cell(each.a), cell(each.b), { text: [each.why, each.changes ? [": ", each.changes.map(function (id, n) {
            return [n ? ", " : "", make("a", { href: root + "changes/" + encodeURIComponent(id) + "/index.html" }, id)];
          })] : null] }]];
      }))];
    }), found.differences.length ? null : make("p", { "class": "muted" }, "Nothing that is known differs."),
    same.length ? make("details", {}, make("summary", {}, "The same (" + same.length + ")"), table("The same", ["Key", "In both"], same.map(function (key) {
      return [make("code", {}, key), [cell(found.same[key])]];
    }))) : null];
  }
  function cell(text) { return { text: text, muted: text === "not stated" || text === "unknown" }; }
  function shown(value, unit) {
    if (value === null) { return "–"; }
    return (Array.isArray(value) ? value.map(plain).join(" to ") : plain(value)) + " " + unit;
  }
  function plain(value) { return String(Number(value.toPrecision(6))); }
  function numbers(one, other, found) {
    if (!found.metrics.length) { return make("p", { "class": "muted" }, "No number of the one stands beside a number of the other."); }
    var rows = found.metrics.slice(0, 200).map(function (each, n) {
      return [[each.metric + (each.stat === "unknown" ? "" : ", " + each.stat), make("span", { "class": "muted" }, (each.where ? " at " + each.where : "") + (each.arm ? ", " + each.arm : ""))],
        [{ text: shown(each.a, each.unit), num: true }, { text: shown(each.b, each.unit), num: true },
          each.ratio === null ? { text: ["no ratio: ", each.refused], muted: true } : { text: (found.about[n] ? "≈" : "") + each.ratio + "x", num: true }]];
    });
    return [table("Numbers", ["Metric", name(one), name(other), "Ratio"], rows),
      found.metrics.length > 200 ? make("p", { "class": "fine" }, "and " + (found.metrics.length - 200) + " more; ", command(one, other), " prints all") : null];
  }
  function claims(items) {
    return make("section", { id: "claims" }, make("h2", {}, "Claims"), make("div", { "class": "two" }, items.map(function (each) {
      return make("div", {}, make("h3", {}, make("a", { href: root + each.href }, each.title)), make("p", { "class": "fine" }, each.question.asks || "names no question"),
        ["measured", "mechanism", "hypothesis"].map(function (kind) {
          var mine = each.claims.filter(function (claim) { return claim.kind === kind; });
          return mine.length ? [make("p", { "class": "label" }, kind), make("ul", { "class": "ranked" }, mine.map(function (claim) {
            return make("li", { "class": "wide" }, make("div", {}, claim.outcome ? badge(claim.outcome) : null, " ", claim.figure ? make("b", {}, claim.figure) : null,
              make("p", {}, claim.says), make("p", { "class": "fine" }, make("a", { href: root + each.href + "#" + claim.anchor }, claim.id), claim.where ? " at " + claim.where : "")));
          }))] : null;
        }));
    })));
  }
  function draw(wanted) {
    var gone = wanted.filter(function (each) { return !each.item; }), there = wanted.filter(function (each) { return each.item; }), pairs = [];
    out.replaceChildren();
    if (gone.length) { out.append(make("p", { "class": "note warn" }, "Not on this site: " + gone.map(function (each) { return each.gone || each.id; }).join(", ") + ".")); }
    if (there.length === 1 && !gone.length && there[0].item.arms.length > 1 && !there[0].arm) { there.push(there[0]); }
    if (there.length < 2) { if (there.length && !gone.length) { out.append(make("p", {}, "Choose a second one.")); } return; }
    there.forEach(function (one, n) { there.slice(n + 1).forEach(function (other) { pairs.push([one, other]); }); });
    var cards = pairs.map(function (pair) {
      return verdict(pair[0], pair[1], kbCompareRules.compare(pair[0].item, pair[1].item, pair[0].arm, pair[1].arm), pairs.length === 1);
    });
    var items = there.map(function (each) { return each.item; }).filter(function (item, n, every) { return every.indexOf(item) === n; });
    document.title = there.map(name).join(" | ") + " · " + document.title.split(" · ").pop();
    out.append(make("section", { id: "verdict" }, make("h2", {}, "May their numbers be set against each other?"), cards), claims(items));
  }
  function show() {
    Promise.all([asked(), known || (known = script("compare-data.js"))]).then(function (found) {
      draw(found[0]);
      out.dataset.settled = location.search;
    });
  }

  SLOTS.slice(1).forEach(function (slot) {
    Array.prototype.slice.call(form.elements.a.children, 1).forEach(function (each) { form.elements[slot].append(each.cloneNode(true)); });
  });
  SLOTS.forEach(function (slot) { form.elements[slot].addEventListener("change", function () { arms(slot); room(); }); });
  form.hidden = false;
  form.addEventListener("submit", function (event) {
    event.preventDefault();
    var query = SLOTS.filter(function (slot) { return form.elements[slot].value; }).map(function (slot) {
      var arm = form.elements[slot + "-arm"].value;
      return slot + "=" + encodeURIComponent(form.elements[slot].value) + (arm ? "/" + encodeURIComponent(arm) : "");
    });
    if (!query.length) {
      out.replaceChildren(make("p", { "class": "note warn" }, "Choose two evaluations, or one whose two arms are to stand side by side."));
      return;
    }
    history.pushState(null, "", "?" + query.join("&"));
    show();
  });
  addEventListener("popstate", show);
  show();
}());
