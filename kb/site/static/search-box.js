// The key / puts the cursor into the search box, unless something is being typed.
"use strict";
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, textarea, select, [contenteditable]")) return;
  const box = document.querySelector("#search-q") || document.querySelector("#search-box");
  if (!box) return;
  event.preventDefault();
  box.focus();
  box.select();
});
