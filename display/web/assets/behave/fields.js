// Fields and forms call the action named in their data-act, with their other data attributes. A form
// hands over its fields; a button of it may name another action, with its own data.

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
    actions[named.act]?.({ ...named, ...Object.fromEntries(new FormData(e.target)) });
  });
}
