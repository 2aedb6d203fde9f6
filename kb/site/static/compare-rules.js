/* Whether two records differ in what matters, and which of their numbers may be divided: the answers of `kb compare`, from facts
   laid out by kb/site/pages/beside.py. Every function is one of kb/compare.py, kb/matching.py, kb/differences.py or kb/ratios.py;
   tests/site/test_compare_rules.py holds the two together over every pair of our own records. */
var kbCompareRules = (function () {
  "use strict";
  var UNKNOWN = "unknown", SIDES = ["prefill", "decode"], RANK = { yes: 0, unknown: 1, no: 2 }, known = {};

  function has(list, value) { return list.indexOf(value) >= 0; }
  function own(table, key) { return Object.prototype.hasOwnProperty.call(table, key) ? table[key] : undefined; }
  function unique(list) { var seen = {}; return list.filter(function (each) { var key = " " + each, is = seen[key]; seen[key] = true; return !is; }); }
  function last(key) { return key.slice(key.lastIndexOf(".") + 1); }
  function head(key) { return key.split(".")[0]; }
  function tail(key) { var at = key.indexOf("."); return at < 0 ? "" : key.slice(at + 1); }
  function without(key, prefix) { return key.slice(0, prefix.length) === prefix ? key.slice(prefix.length) : key; }
  function open(value) { return value === undefined || value === null || value === UNKNOWN; }
  function none(value) { return value === undefined || value === null; }
  function equal(a, b) { return JSON.stringify(a) === JSON.stringify(b); }
  function words(value) { return none(value) ? "not stated" : Array.isArray(value) ? value.map(words).join(", ") : value; }
  function fold(value) { return words(value).toLowerCase(); }
  function all(truths) { return has(truths, "no") ? "no" : has(truths, "unknown") ? "unknown" : "yes"; }
  function truth(value) { return value === null ? "unknown" : value ? "yes" : "no"; }
  function key(table) { return JSON.stringify(Object.keys(table).sort().map(function (name) { return [name, table[name]]; })); }
  function reason(field, one, other, is, says) { return { field: field, one: one, other: other, truth: is, says: says }; }

  // Arms that are set beside each other

  function isBuild(name) { return name.slice(0, 9) === "versions." || has(known.build_fields, last(name)); }
  function telling(arms) {
    var parts = known.parts.filter(function (part) { return arms.every(function (arm) { return !open(arm.made_of[part]); }); });
    return unique([].concat.apply([], arms.map(function (arm) { return Object.keys(arm.stated); }))).filter(function (name) {
      var part = head(without(without(name, "prefill."), "decode."));
      return !isBuild(name) && !has(parts, part) && arms.some(function (arm, n) { return n && !equal(own(arms[n - 1].stated, name), own(arm.stated, name)); });
    });
  }
  function same(a, b) {
    if (none(a) && none(b)) { return null; }
    return open(a) || open(b) ? "unknown" : truth(fold(a) === fold(b));
  }
  function of(arm, name) { return has(known.parts, name) ? arm.made_of[name] : own(arm.stated, name); }
  function buildsOnly(arms) {
    return !telling(arms).length && arms.every(function (arm) { return key(arm.made_of) === key(arms[0].made_of); });
  }
  function fits(pairs, names) {
    var found = names.map(function (name) {
      var stated = pairs.map(function (pair) { return same(of(pair[0], name), of(pair[1], name)); }).filter(function (is) { return is !== null; });
      return stated.length ? all(stated) : null;
    }).filter(function (is) { return is !== null; });
    return all(found);
  }
  function paired(mine, theirs) {
    var orders = theirs.length === 2 ? [theirs, [theirs[1], theirs[0]]] : [theirs];
    var laid = orders.map(function (order) { return mine.map(function (arm, n) { return [arm, order[n]]; }); });
    if (mine.length === 2 && buildsOnly(mine) && buildsOnly(theirs)) {
      return laid.filter(function (pairs) {
        return pairs.every(function (pair) { return !pair[0].whole && !pair[1].whole && pair[0].role && pair[0].role === pair[1].role; });
      })[0] || laid[0];
    }
    var names = unique(known.parts.concat(telling(mine), telling(theirs)));
    var ranks = laid.map(function (pairs) { return RANK[fits(pairs, names)]; });
    return laid[ranks.indexOf(Math.min.apply(null, ranks))];
  }
  function which(item) {
    var ids = item.arms.filter(function (arm) { return !arm.whole; }).map(function (arm) { return arm.id; });
    return { refused: item.id + " has " + ids.length + " arms: " + ids.join(", "), hint: "say which one: " + item.id + "/" + ids[0] };
  }
  function named(item, arm) {
    return item.arms.filter(function (each) { return !each.whole && each.id === arm; })[0];
  }
  function noArm(item, arm) {
    var ids = item.arms.filter(function (each) { return !each.whole; }).map(function (each) { return each.id; });
    return { refused: item.id + ' has no arm "' + arm + '"', hint: "its arms: " + (ids.join(", ") || "none") };
  }
  function ofOne(item, arms) {
    var wanted = arms.filter(Boolean).map(function (arm) { return named(item, arm); });
    var rest = item.arms.filter(function (arm) { return !arm.whole && !has(wanted, arm); }), both;
    if (item.arms.length < 2) { return { refused: item.id + " has no two arms", hint: "name another evaluation to compare it with" }; }
    if (wanted.length + rest.length !== 2 && wanted.length < 2) { return which(item); }
    if (wanted.length === 2 && wanted[0] === wanted[1]) {
      return { refused: item.id + "/" + arms[0] + " is compared with itself", hint: "its other arms: " + rest.map(function (arm) { return arm.id; }).join(", ") };
    }
    both = wanted.length === 2 ? wanted : arms[0] ? wanted.concat(rest) : rest.concat(wanted);
    if (!wanted.length) { both = both.filter(function (arm) { return arm.role !== "baseline"; }).concat(both.filter(function (arm) { return arm.role === "baseline"; })); }
    return [[both[0], both[1]]];
  }
  function sides(a, b, armA, armB) {
    if (armA && !named(a, armA)) { return noArm(a, armA); }
    if (armB && !named(b, armB)) { return noArm(b, armB); }
    if (a === b) { return ofOne(a, [armA, armB]); }
    var mine = armA ? [named(a, armA)] : a.arms, theirs = armB ? [named(b, armB)] : b.arms;
    if (mine.length === theirs.length && mine.length <= 2) { return paired(mine, theirs); }
    var one = mine.length === 1 ? mine : theirs, other = mine.length === 1 ? theirs : mine;
    if (one.length === 1) {
      var fitting = other.filter(function (arm) { return fits(paired([one[0]], [arm]), ["connector"]) === "yes"; });
      if (fitting.length === 1) { return one === mine ? [[one[0], fitting[0]]] : [[fitting[0], one[0]]]; }
    }
    return which(mine.length > theirs.length || mine.length > 2 ? a : b);
  }

  // What differs

  function sameBuild(one, other) {
    var shared = Object.keys(one).filter(function (name) { return own(other, name) !== undefined; });
    if (shared.some(function (name) { return name !== "commit" && name !== "branch" && one[name] !== other[name]; })) { return "no"; }
    if (has(shared, "commit")) {
      var short = Math.min(one.commit.length, other.commit.length);
      return truth(one.commit.slice(0, short) === other.commit.slice(0, short) && one.patches === other.patches);
    }
    var extras = ["fork", "patches", "branch"].every(function (name) { return one[name] === other[name]; });
    return (has(shared, "version") || has(shared, "image")) && extras ? "yes" : "unknown";
  }
  function buildWords(pin) {
    var shown = Object.keys(pin).map(function (name) { return name === "commit" ? pin[name].slice(0, 10) : pin[name]; });
    return (pin.version === undefined ? shown.reverse() : shown).join(" ") || words(null);
  }
  function build(arm, role) { return own(arm.builds, role) || {}; }
  function roles(pair) {
    var found = [];
    function stated(place) {
      return pair.some(function (arm) { return Object.keys(arm.stated).some(function (name) { return name.slice(0, place.length + 1) === place + "."; }); });
    }
    known.pins.forEach(function (role) {
      if (!has(known.side_pins, role)) { if (stated(role)) { found.push(role); } return; }
      var split = pair.some(function (arm) { return key(build(arm, "prefill." + role)) !== key(build(arm, "decode." + role)); });
      if (split) { found.push("prefill." + role, "decode." + role); } else if (stated("prefill." + role)) { found.push(role); }
    });
    return found;
  }
  function components(role, pair) {
    var found = pair.map(function (arm) { return arm.made_of[role] || words0(own(arm.stated, role + ".component")); });
    if (found[0] !== found[1] || open(found[0])) { return []; }
    var shipped = role === "engine" ? pair.filter(function (arm) { return arm.ships; }).map(function (arm) { return arm.made_of.connector; }) : [];
    return [found[0]].concat(unique(shipped).sort());
  }
  function words0(value) { return none(value) ? undefined : words(value); }
  function between(role, here, there, pair) {
    var names = components(role, pair);
    if (here.version === undefined || there.version === undefined || !names.length) { return ["yes", "other builds", []]; }
    var moved = [], settled = true, covered = names.every(function (name) { return known.builds[name] && known.builds[name].known; });
    names.forEach(function (name) {
      var table = known.builds[name], versions = [here.version, there.version].sort();
      if (!table) { return; }
      table.changes.forEach(function (id, n) {
        var was = table.carried[here.version][n], now = table.carried[there.version][n];
        if ((was === "n" && now === "y") || (was === "y" && now === "n")) { moved.push(id); }
        if (was !== now || was === "u") { settled = false; }
      });
      if (!has(table.covered, versions.join(" "))) { covered = false; }
    });
    moved = unique(moved);
    if (moved.length) { return ["yes", moved.length + " change" + (moved.length > 1 ? "s" : "") + " in between", moved]; }
    if (covered && settled) { return ["no", "all changes in between were looked at; none alters behaviour", []]; }
    return ["unknown", "no change in between is known, and not all of it was looked at", []];
  }
  function ofBuild(role, pair) {
    var plain = last(role), read = has(role, ".") || !has(known.side_pins, plain) ? role : "prefill." + plain;
    var here = build(pair[0], read), there = build(pair[1], read), name = role + ".version";
    if (plain === "connector" && !Object.keys(here).length && !Object.keys(there).length && pair.every(function (arm) { return arm.ships; })) { return []; }
    var a = buildWords(here), b = buildWords(there), is = sameBuild(here, there);
    if (is === "yes") { return [{ key: name, value: a }]; }
    if (is === "unknown") { return [{ key: name, a: a, b: b, material: "unknown", why: "which builds ran is not stated on both sides" }]; }
    var found = between(plain, here, there, pair), made = { key: name, a: a, b: b, material: found[0], why: found[1] };
    if (found[2].length) { made.changes = found[2]; }
    return [made];
  }

  function inForce(arm, name) {
    var stated = own(arm.stated, name);
    return stated !== undefined ? stated : (own(arm.defaults, name) || [])[0];
  }
  function read(name) { return name.slice(0, 5) === "both." ? "prefill." + name.slice(5) : name; }
  function values(name, pair) { return pair.map(function (arm) { return own(arm.stated, read(name)); }); }
  function keys(pair) {
    var expanded = [], found = [];
    known.asked.forEach(function (name) {
      if (name.slice(0, 5) === "both.") { SIDES.forEach(function (side) { expanded.push(side + "." + name.slice(5)); }); }
    });
    var plain = known.asked.filter(function (name) { return name.slice(0, 5) !== "both."; });
    unique(Object.keys(pair[0].stated).concat(Object.keys(pair[1].stated), plain, expanded)).forEach(function (name) {
      var side = head(name), rest = tail(name), twin = (side === "prefill" ? "decode" : "prefill") + "." + rest;
      if (isBuild(name) || side === "both" || has(known.side_pins, head(rest))) { return; }
      var alike = has(SIDES, side) && pair.every(function (arm) {
        return equal(own(arm.stated, name), own(arm.stated, twin)) && equal(inForce(arm, name), inForce(arm, twin));
      });
      if (!alike) { found.push(name); } else if (side === "prefill") { found.push("both." + rest); }
    });
    return found;
  }
  function seldom(name) { return has(known.seldom, name) || has(known.seldom, "both." + tail(read(name))); }
  function whyOf(name) {
    var rest = has(SIDES, head(name)) ? "both." + tail(name) : name;
    var group = known.modifiers.filter(function (each) { return has(each[0], name) || has(each[0], rest); })[0];
    return group ? group[1] : has(known.pins, head(name)) ? "what the arm is made of" : "part of what was measured";
  }
  function shown(name, pair, found) {
    return pair.map(function (arm, n) {
      var spread = own(arm.shown, name);
      return spread !== undefined && found[n] !== UNKNOWN ? spread : words(found[n]);
    });
  }
  function difference(name, two, material, why) { return [{ key: name, a: two[0], b: two[1], material: material, why: why }]; }
  function ofFact(name, pair) {
    var found = values(name, pair);
    if (none(found[0]) && none(found[1]) && seldom(name)) { return []; }
    if (open(found[0]) || open(found[1])) { return half(name, found, pair); }
    var why = forReason(name, found, pair), two = shown(name, pair, found);
    if (two[0] === two[1]) { return [{ key: name, value: two[0] }]; }
    return why ? difference(name, two, "no", why) : difference(name, two, "yes", whyOf(name));
  }
  function half(name, found, pair) {
    var place = read(name), made = pair.map(function (arm) { return arm.made_of.connector; });
    if (/connector\.(class_name|mode)$/.test(place) && made[0] === made[1] && !open(made[0])) { return []; }
    var force = found.map(function (value, n) { return none(value) ? inForce(pair[n], place) : value; });
    if (open(force[0]) || open(force[1])) {
      return own(known.certainty, name) ? [] : difference(name, shown(name, pair, found), "unknown", whyOf(name));
    }
    var two = found.map(function (value, n) { return none(value) ? pair[n].defaults[place][1] : words(value); });
    return fold(force[0]) === fold(force[1]) ? difference(name, two, "no", "the default in force is the same") : difference(name, two, "yes", whyOf(name));
  }
  function forReason(name, found, pair) {
    if (own(known.certainty, name)) { return known.certainty[name]; }
    if (/class_name$/.test(name)) {
      var classes = pair.map(function (arm) { return own(arm.classes, read(name)); });
      if (!none(classes[0]) && classes[0] === classes[1]) { return "two names of one class"; }
    }
    if (name === "model" && modelName(found[0]) === modelName(found[1])) { return "one model, written differently"; }
    if (name.slice(0, 9) === "workload.") {
      var regions = pair.map(function (arm) { return own(arm.regions, name); });
      if (regions[0] && regions[1] && meets(regions[0], regions[1]) === "yes") { return "the tested loads meet; numbers are paired load point by load point"; }
    }
    return fold(found[0]) === fold(found[1]) ? "written differently" : null;
  }
  function modelName(value) { return words(value).slice(words(value).lastIndexOf("/") + 1).toLowerCase(); }
  function end(number) { return number === "inf" ? Infinity : number; }
  function inside(region, value) {
    return value >= end(region.low) && value <= end(region.high) && (!region.values.length || has(region.values.map(end), value));
  }
  function meets(one, other) {
    function empty(region) { return end(region.low) > end(region.high); }
    if (empty(one) || empty(other)) { return "no"; }
    if (Math.max(end(one.low), end(other.low)) > Math.min(end(one.high), end(other.high))) {
      var single = one.low === one.high && other.low === other.high && Math.min(end(one.low), end(other.low)) > 0;
      return single && Math.max(end(one.low), end(other.low)) / Math.min(end(one.low), end(other.low)) <= 1.1 ? "unknown" : "no";
    }
    function touches(a, b) { return a.values.map(end).some(function (value) { return inside(a, value) && inside(b, value); }); }
    return (one.values.length ? touches(one, other) : other.values.length ? touches(other, one) : true) ? "yes" : "unknown";
  }

  function bare(item) { return JSON.stringify("value" in item ? [item.key, item.value] : [item.key, item.a, item.b, item.material]); }
  function differences(pairs) {
    var looked = pairs.map(function (pair) {
      return [].concat.apply([], roles(pair).map(function (role) { return ofBuild(role, pair); }).concat(keys(pair).map(function (name) { return ofFact(name, pair); })));
    });
    var marks = looked.map(function (each) { return each.map(bare); }), found = [], seen = {}, alike = [];
    function everywhere(item) { return marks.every(function (each) { return has(each, bare(item)); }); }
    looked.forEach(function (each, n) {
      each.forEach(function (item) {
        if ("value" in item) { if (!n && everywhere(item)) { alike.push(item); } return; }
        var made = Object.assign({}, item);
        if (!everywhere(item)) { made.arm = label(pairs[n]); }
        if (!seen[JSON.stringify(made)]) { seen[JSON.stringify(made)] = true; found.push(made); }
      });
    });
    return { differing: found, alike: alike };
  }
  function label(pair) { return pair[0].id === pair[1].id ? pair[0].id : pair[0].id + " | " + pair[1].id; }

  // What is in the way of a ratio

  function factor(name) {
    var part = head(without(without(name, "prefill."), "decode."));
    if (has(["router.dispatch", "router.decoder_chosen", "router.policy"], name) || part === "client") { return null; }
    return has(known.pins, part) || part === "options" || part === "env" ? part : null;
  }
  function inTheWay(differing) {
    var factors = {}, found = [];
    differing.forEach(function (each) {
      var part = factor(each.key);
      if (each.material === "yes" && part) { if (!factors[part]) { factors[part] = each; } }
      else if (each.material === "yes" && !has(known.quantities, without(each.key, "workload."))) {
        found.push(reason(each.key, each.a, each.b, "no", each.key + " differs: " + each.why));
      } else if (each.material === "unknown" && (has(known.held, each.key) || part)) {
        found.push(reason(each.key, each.a, each.b, "unknown", each.key + " is not known on at least one side: " + each.why));
      }
    });
    var names = Object.keys(factors);
    if (names.length > 1) {
      var two = ["a", "b"].map(function (side) { return names.map(function (part) { return factors[part][side]; }).join(", "); });
      found.push(reason("arms", two[0], two[1], "no", "the arms differ in " + names.slice().sort().join(" and ") + ": which of it a ratio is due to cannot be told"));
    }
    return found;
  }

  // Numbers

  function load(point, arm, plain) {
    var found = Object.assign({}, point.where);
    if (!plain) { Object.keys(arm.fixed).forEach(function (name) { if (own(found, name) === undefined) { found[name] = arm.fixed[name]; } }); }
    return found;
  }
  var SHORT = { input_tokens: "in", output_tokens: "out", request_rate: "req/s", concurrency: "conc" };
  function place(where) {
    return Object.keys(where).map(function (name) {
      return name === "words" ? "“" + where.words + "”" : (SHORT[name] || name) + " " + where[name];
    }).join(", ");
  }
  function pointsOf(item, arm) {
    return item.points.filter(function (point) { return arm.whole ? none(point.arm) || point.arm === arm.id : point.arm === arm.id; });
  }
  function related(p, q) { return p.metric === q.metric || Boolean(p.definition && q.definition && p.measure === q.measure); }
  function sameMeasure(p, q) {
    if (p.measure && q.measure) { return truth(p.measure === q.measure); }
    var mine = own(known.metrics, p.metric), theirs = own(known.metrics, q.metric);
    if (p.metric === q.metric) { return mine && !mine.length && !p.measure && !q.measure ? "yes" : "unknown"; }
    var means = p.measure ? [p.measure] : mine || [], meant = q.measure ? [q.measure] : theirs || [];
    return means.some(function (each) { return has(meant, each); }) ? "unknown" : "no";
  }
  function apart(p, q, one) {
    var found = [], a = p.point, b = q.point;
    if (!(one && a.definition === b.definition && a.metric === b.metric)) {
      var is = sameMeasure(a, b), two = [a, b].map(function (each) { return each.metric + " (" + (each.definition || "definition not stated") + ")"; });
      if (is !== "yes") {
        found.push(reason("metric", two[0], two[1], is, two[0] + " against " + two[1] + ": " +
          (is === "no" ? "not the same thing, whatever it is called" : "the definition is not stated on both sides")));
      }
    }
    var open_ = a.stat === UNKNOWN || b.stat === UNKNOWN;
    if (!(a.stat === b.stat && (one || !open_))) {
      found.push(reason("statistic", a.stat, b.stat, open_ ? "unknown" : "no", "statistic " + a.stat + " against " + b.stat));
    }
    var here = p.load, there = q.load, names = Object.keys(here), others = Object.keys(there);
    if (!(key(here) === key(there) && (one || (names.length && !has(names, "words"))))) {
      var full = names.length && others.length && !has(names.concat(others), "words") && names.slice().sort().join() === others.slice().sort().join();
      found.push(reason("where", place(here), place(there), full ? "no" : "unknown",
        a.metric + ": load point " + (place(here) || "not stated") + " against " + (place(there) || "not stated")));
    }
    return found;
  }
  function lesser(one, other) {
    if (one.length !== other.length) { return one.length < other.length; }
    for (var n = 0; n < one.length; n += 1) { if (RANK[one[n].truth] !== RANK[other[n].truth]) { return RANK[one[n].truth] < RANK[other[n].truth]; } }
    return false;
  }
  function kindOf(unit) { return Object.keys(known.units).filter(function (kind) { return own(known.units[kind], unit) !== undefined; })[0]; }
  function convert(value, unit, into) {
    if (unit === into) { return value; }
    var kind = kindOf(unit);
    return !kind || kind !== kindOf(into) ? null : value * known.units[kind][unit] / known.units[kind][into];
  }
  function number(point, unit) {
    var ends = Array.isArray(point.number) ? point.number : [point.number];
    var found = ends.filter(function (each) { return each !== null; }).map(function (each) { return convert(each, point.unit, unit); })
      .filter(function (each) { return each !== null; });
    return found.length === 1 && ends.length === 1 ? found[0] : found.length === 2 ? found : null;
  }
  function fourDigits(value) {
    var exact = value.toExponential(60), digits = exact.replace(".", "").split("e")[0];
    var tie = digits[4] === "5" && /^0*$/.test(digits.slice(5)), up = Number(value.toPrecision(4));
    return tie && Number(digits[3]) % 2 === 0 ? Number(exact.slice(0, 5) + "e" + exact.split("e")[1]) : up;
  }
  function divided(p, q) {
    var mine = number(p, p.unit), theirs = number(q, p.unit);
    if (theirs === null) { return [null, "unit: " + p.unit + " against " + q.unit]; }
    if (typeof mine !== "number" || typeof theirs !== "number") { return [null, "value: a range, or no figure"]; }
    return theirs > 0 ? [mine === 0 ? 0 : fourDigits(mine / theirs), null] : [null, "value: nothing is divided by zero"];
  }
  function row(p, q, reasons, arm) {
    var worst = null;
    reasons.forEach(function (each) { if (!worst || RANK[each.truth] > RANK[worst.truth]) { worst = each; } });
    var found = worst ? [null, worst.field + ": " + worst.says] : divided(p, q), made = {
      metric: p.metric === q.metric ? p.metric : p.metric + " | " + q.metric,
      definition: [p.definition, q.definition],
      stat: p.stat === q.stat ? p.stat : p.stat + " | " + q.stat,
      where: place(p.where), a: number(p, p.unit), b: number(q, p.unit), unit: p.unit, ratio: found[0], refused: found[1]
    };
    if (arm) { made.arm = arm; }
    return { made: made, label: p.metric, exact: p.stat === q.stat, about: p.about || q.about };
  }
  function ratios(pairs, a, b, gate) {
    var rows = [], kept = {}, order = [], one = a === b;
    pairs.forEach(function (pair) {
      var arm = pairs.length === 1 ? null : label(pair), byLoad = {};
      var theirs = pointsOf(b, pair[1]).map(function (point) { return { point: point, load: load(point, pair[1], one) }; });
      theirs.forEach(function (each) { (byLoad[key(each.load)] = byLoad[key(each.load)] || []).push(each); });
      pointsOf(a, pair[0]).forEach(function (point) {
        var mine = { point: point, load: load(point, pair[0], one) }, near = byLoad[key(mine.load)] || [];
        if (!near.length && kept[point.metric]) { return; }
        function met(others) {
          return others.filter(function (q) { return related(point, q.point); }).map(function (q) { return [q.point, apart(mine, q, one)]; });
        }
        var found = met(near);
        if (!found.some(function (each) { return !each[1].length; })) { found = met(theirs); }
        if (!found.length) { return; }
        var best = found[0];
        found.forEach(function (each) { if (lesser(each[1], best[1])) { best = each; } });
        if (best[1].some(function (each) { return each.field === "where"; })) {
          if (!kept[point.metric]) { kept[point.metric] = best[1][best[1].length - 1]; order.push(point.metric); }
        } else { rows.push(row(point, best[0], best[1].concat(gate), arm)); }
      });
    });
    function mark(each) { return JSON.stringify([each.label, each.made.where, each.made.arm]); }
    var exact = rows.filter(function (each) { return each.exact; }).map(mark);
    rows = rows.filter(function (each) { return each.exact || !has(exact, mark(each)); });
    var labels = rows.map(function (each) { return each.label; });
    return { rows: rows, apart: order.filter(function (metric) { return !has(labels, metric); }).map(function (metric) { return kept[metric]; }) };
  }

  /* The answer for two records and, where named, an arm of each; with the keys of `kb compare --json`, claims aside. Where it cannot
     be told which arms are meant `refused` says so. */
  function compare(a, b, armA, armB) {
    var pairs = sides(a, b, armA || null, armB || null);
    if (pairs.refused) { return pairs; }
    var found = differences(pairs), differing = found.differing;
    if (a === b) { differing = differing.filter(function (each) { return each.material !== "unknown" || each.a !== each.b; }); }
    var gate = a === b ? [] : inTheWay(differing), met = ratios(pairs, a, b, gate), alike = {};
    found.alike.forEach(function (each) { alike[each.key] = each.value; });
    var any = met.rows.some(function (each) { return each.made.ratio !== null; }) ? "yes" : "unknown";
    return {
      a: { evaluation: a.id, arm: armA || null }, b: { evaluation: b.id, arm: armB || null },
      arms: pairs.map(function (pair) { return [pair[0].id, pair[1].id]; }),
      comparable: all(gate.map(function (each) { return each.truth; }).concat(any)),
      reasons: gate.concat(met.apart), differences: differing, same: alike,
      metrics: met.rows.map(function (each) { return each.made; }), about: met.rows.map(function (each) { return each.about; })
    };
  }
  return { know: function (data) { known = data; }, compare: compare };
}());
