"use strict";
// Without scripts the page has everything; with them, filters and keys.
(function () {
  const all = (query) => Array.from(document.querySelectorAll(query));
  const loops = () => all(".loop").filter((loop) => !loop.hidden);
  const hash = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let at = target; at; at = at.parentElement) {
      if (at.tagName === "DETAILS") at.open = true;
      at.hidden = false;
    }
    if (target) target.scrollIntoView({ block: "center" });
  };
  window.addEventListener("hashchange", hash);
  hash();
  for (const box of all(".filters input")) {
    box.addEventListener("change", () => {
      for (const loop of all(".loop." + box.value)) loop.hidden = !box.checked;
    });
  }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) && event.target.type !== "checkbox") return;
    const step = { j: 1, k: -1 }[event.key];
    if (step) {
      const shown = loops();
      const at = shown.indexOf(document.activeElement.closest(".loop"));
      const next = shown[at < 0 ? (step > 0 ? 0 : shown.length - 1) : at + step];
      if (next) {
        next.querySelector("summary").focus();
        next.scrollIntoView({ block: "center" });
      }
    } else if (event.key === "x" || event.key === "X") {
      for (const loop of loops()) loop.open = event.key === "x";
    }
  });
})();
