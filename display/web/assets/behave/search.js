// Fields and forms of pages that are lists and forms call the action named in their
// data-act. A form hands over its fields; a button of it may name another action, with its own data.

export function listen(actions) {
  document.addEventListener("input", ({ target: { dataset, value, checked, files } }) => {
    if (dataset.act && !files) actions[dataset.act]({ ...dataset, value, checked });
  });
  document.addEventListener("change", ({ target: on }) => {
    if (!on.dataset.act || !on.files) return;
    actions[on.dataset.act]({ ...on.dataset, file: on.files[0] });
    on.value = ""; // the same file may be chosen again
  });
  document.addEventListener("submit", e => {
    e.preventDefault();
    const named = { ...e.target.dataset, ...e.submitter?.dataset };
    actions[named.act]?.({ ...Object.fromEntries(new FormData(e.target)), ...named });
  });
}

let done = null; // the last focus that the state requested

// follow gives the focus to what asked for it, after a drawing.
export function follow({ focus }) {
  if (focus && focus !== done) (document.querySelector(focus.on) ?? document.querySelector(".said"))?.focus();
  done = focus;
}
