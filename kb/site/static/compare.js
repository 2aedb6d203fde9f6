/* Evaluations side by side. State is in the address: compare.html?a=ID&b=ID. Data comes from evaluations/ID/compare.js. */
(function () {
  "use strict";
  var form = document.getElementById("compare-form"), out = document.getElementById("compare");
  if (!form || !out) { return; }
  var root = form.dataset.root || "", waiting = {}, got = {};

  window.kbCompare = function (id, data) { got[id] = data; if (waiting[id]) { waiting[id](); } };

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
  function load(id) {
    return new Promise(function (resolve) {
      if (got[id]) { resolve(got[id]); return; }
      var script = make("script", { src: root + "evaluations/" + encodeURIComponent(id) + "/compare.js" });
      waiting[id] = function () { resolve(got[id]); };
      script.onerror = function () { resolve(null); };
      document.head.appendChild(script);
    });
  }
  function asked() {
    var query = new URLSearchParams(location.search), ids = [];
    ["a", "b", "c", "d"].forEach(function (slot) {
      var id = query.get(slot), select = form.elements[slot];
      if (!id) { return; }
      select.value = id;
      if (select.value === id && ids.indexOf(id) < 0) { ids.push(id); }
    });
    return ids;
  }
  function badge(outcome) {
    return make("span", { "class": "outcome outcome-" + outcome.name, title: outcome.means },
      make("span", { "class": "sign", "aria-hidden": "true" }, outcome.sign), outcome.word);
  }
  function head(items, first) {
    return make("thead", {}, make("tr", {}, make("th", { scope: "col" }, first), items.map(function (each) {
      return make("th", { scope: "col" }, make("a", { href: root + each.href }, each.title));
    })));
  }
  function table(label, node) {
    return make("div", { "class": "scroll", tabindex: "0", role: "region", "aria-label": label }, node);
  }
  var ANSWER = {
    yes: "yes: their numbers may be divided, row by row",
    no: "no: their numbers may not be divided",
    unknown: "unknown: nobody can say as long as this is not known"
  };
  function verdicts(items) {
    var rows = [];
    items.forEach(function (one, n) {
      items.slice(n + 1).forEach(function (other) {
        var found = one.beside[other.id] || other.beside[one.id], reasons = [];
        if (!found && one.question.id !== other.question.id) {
          found = { comparable: "no", reasons: [{ says: "they answer different questions", one: one.question.asks, other: other.question.asks }] };
        } else if (!found) {
          found = { comparable: "unknown", reasons: [{ says: "not judged here; on a terminal: kb compare " + one.id + " " + other.id }] };
        }
        var open = found.reasons.filter(function (each) { return each.truth === "unknown" && each.field; });
        reasons = found.reasons.filter(function (each) { return open.indexOf(each) < 0; }).map(function (each) {
          return make("li", {}, each.says, each.one || each.other ? make("span", { "class": "muted" }, " (" + (each.one || "–") + " | " + (each.other || "–") + ")") : null);
        });
        rows.push(make("article", { "class": "claim compare-" + found.comparable },
          make("p", {}, make("b", {}, "Comparable: "), ANSWER[found.comparable]),
          make("p", { "class": "fine" }, one.title, " | ", other.title),
          reasons.length ? make("ul", {}, reasons) : null,
          open.length ? make("p", {}, "Not known on both sides, and needed for a ratio: ", open.map(function (each, n) { return [n ? ", " : "", make("code", {}, each.field)]; })) : null,
          found.more ? make("p", { "class": "fine" }, "and " + found.more + " more") : null));
      });
    });
    return make("section", { id: "verdict" }, make("h2", {}, "May their numbers be set against each other?"), rows);
  }
  function setup(items) {
    var keys = {}, differ = [], same = [];
    items.forEach(function (each) { Object.keys(each.setup).forEach(function (key) { keys[key] = true; }); });
    Object.keys(keys).sort().forEach(function (key) {
      var cells = items.map(function (each) { return (each.setup[key] || ["not stated"]).join(" | "); });
      var row = make("tr", {}, make("th", { scope: "row" }, make("code", {}, key)), cells.map(function (cell) {
        return make("td", cell === "not stated" || cell === "unknown" ? { "class": "muted" } : {}, cell);
      }));
      (cells.every(function (cell) { return cell === cells[0]; }) ? same : differ).push(row);
    });
    var known = make("details", {}, make("summary", {}, "The same in all (" + same.length + ")"),
      table("Setup: the same", make("table", { "class": "beside" }, head(items, ""), make("tbody", {}, same))));
    return make("section", { id: "setup" }, make("h2", {}, "Setup: what differs"),
      table("Setup: what differs", make("table", { "class": "beside" }, head(items, "Key"), make("tbody", {}, differ))), same.length ? known : null);
  }
  function numbers(items) {
    var rows = {}, order = [];
    items.forEach(function (each, n) {
      each.points.forEach(function (point) {
        var key = [point.metric, point.stat, point.where, point.unit].join("\u0000");
        if (!rows[key]) { rows[key] = { point: point, cells: items.map(function () { return []; }) }; order.push(key); }
        rows[key].cells[n].push((point.arm ? point.arm + " " : "") + point.text);
      });
    });
    order.sort(function (a, b) {
      function shared(key) { return rows[key].cells.filter(function (cell) { return cell.length; }).length; }
      return shared(b) - shared(a);
    });
    var body = order.slice(0, 200).map(function (key) {
      var row = rows[key];
      return make("tr", {}, make("th", { scope: "row" }, row.point.metric + (row.point.stat ? ", " + row.point.stat : ""), make("span", { "class": "muted" }, row.point.where ? " at " + row.point.where : "")),
        row.cells.map(function (cell) { return make("td", { "class": "num" }, cell.length ? cell.map(function (text, n) { return [n ? make("br") : null, text]; }) : "–"); }));
    });
    if (!body.length) { return make("section", {}, make("h2", {}, "Numbers"), make("p", { "class": "muted" }, "None of them states a number.")); }
    return make("section", { id: "numbers" }, make("h2", {}, "Numbers"),
      make("p", { "class": "fine" }, "Rows at one load point stand together; no ratio is taken across evaluations here."),
      table("Numbers", make("table", { "class": "beside" }, head(items, "Metric"), make("tbody", {}, body))));
  }
  function claims(items) {
    return make("section", { id: "claims" }, make("h2", {}, "Claims"), make("div", { "class": "two" }, items.map(function (each) {
      return make("div", {}, make("h3", {}, make("a", { href: root + each.href }, each.title)),
        ["measured", "mechanism", "hypothesis"].map(function (kind) {
          var mine = each.claims.filter(function (claim) { return claim.kind === kind; });
          return mine.length ? [make("p", { "class": "label" }, kind), make("ul", { "class": "ranked" }, mine.map(function (claim) {
            return make("li", { "class": "wide" }, make("div", {}, claim.outcome ? badge(claim.outcome) : null, " ", claim.figure ? make("b", {}, claim.figure) : null,
              make("p", {}, claim.says), make("p", { "class": "fine" }, make("a", { href: root + each.href + "#" + claim.anchor }, claim.id), claim.where ? " at " + claim.where : "")));
          }))] : null;
        }));
    })));
  }
  function show() {
    var ids = asked();
    if (ids.length < 2) { out.textContent = ids.length ? "Choose a second one." : ""; return; }
    Promise.all(ids.map(load)).then(function (found) {
      var items = found.filter(Boolean);
      out.replaceChildren();
      if (items.length < 2) { out.textContent = "These cannot be loaded."; return; }
      document.title = items.map(function (each) { return each.id; }).join(" | ") + " · " + document.title.split(" · ").pop();
      out.append(verdicts(items), setup(items), numbers(items), claims(items));
    });
  }
  form.addEventListener("submit", function (event) {
    event.preventDefault();
    var query = new URLSearchParams();
    ["a", "b", "c", "d"].forEach(function (slot) { if (form.elements[slot].value) { query.set(slot, form.elements[slot].value); } });
    history.pushState(null, "", "?" + query);
    show();
  });
  addEventListener("popstate", show);
  show();
}());
