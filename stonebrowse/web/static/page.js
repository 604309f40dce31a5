"use strict";
// The secret goes out of the address: it must not stay in the history, nor be seen over a shoulder.
if (window.location.search) {
  window.history.replaceState(null, "", window.location.pathname);
}
document.addEventListener("DOMContentLoaded", () => {
  document.getElementById("again").addEventListener("click", () => window.location.reload());
});
