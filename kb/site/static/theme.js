/* Light or dark: what the reader chose goes before what the system says. Runs in the head, so that nothing flashes. */
(function () {
  "use strict";
  var root = document.documentElement, key = "kb-theme";
  function kept() { try { return localStorage.getItem(key); } catch (error) { return null; } }
  function keep(value) { try { localStorage.setItem(key, value); } catch (error) { /* a page from a folder may keep nothing */ } }
  function dark() {
    var chosen = root.getAttribute("data-theme");
    return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  }
  var chosen = kept();
  if (chosen === "dark" || chosen === "light") { root.setAttribute("data-theme", chosen); }
  document.addEventListener("DOMContentLoaded", function () {
    var button = document.getElementById("theme");
    if (!button) { return; }
    function say() { button.setAttribute("aria-pressed", String(dark())); }
    button.hidden = false;
    say();
    button.addEventListener("click", function () {
      var next = dark() ? "light" : "dark";
      root.setAttribute("data-theme", next);
      keep(next);
      say();
    });
  });
  addEventListener("beforeprint", function () {
    document.querySelectorAll("details:not([open])").forEach(function (each) { each.open = true; each.dataset.opened = "1"; });
  });
  addEventListener("afterprint", function () {
    document.querySelectorAll("details[data-opened]").forEach(function (each) { each.open = false; delete each.dataset.opened; });
  });
}());
