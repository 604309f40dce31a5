"use strict";
// The secret goes out of the address: it must not stay in the history, nor be seen over a shoulder.
if (window.location.search) {
  window.history.replaceState(null, "", window.location.pathname);
}
document.addEventListener("DOMContentLoaded", () => {
  document.getElementById("again").addEventListener("click", () => window.location.reload());
  // The terminal has the keys as soon as it shows something, and the button once it has ended.
  new MutationObserver(() => {
    const now = document.body.classList;
    const wanted = now.contains("-closed") ? "#again" : now.contains("-first-byte") ? ".xterm-helper-textarea" : "";
    const found = wanted && document.querySelector(wanted);
    if (found) {
      found.focus();
    }
  }).observe(document.body, { attributeFilter: ["class"] });
});
