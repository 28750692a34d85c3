import { choose } from "../actions/shell.js";

document.addEventListener("click", ({ target }) => {
  const on = target.closest("[data-act=shell]");
  if (on) choose(on.dataset);
});
