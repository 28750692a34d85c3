// Parts of the table page on another one, with the actions that it has.

// presses lets buttons call the action named in their data-act, with their other data attributes.
export const presses = actions => document.addEventListener("click", ({ target }) => {
  const on = target.closest("button[data-act]");
  if (on && !on.disabled) actions[on.dataset.act]?.({ ...on.dataset });
});

// idle disables, after a drawing, the buttons that have no action here.
export function idle(actions) {
  for (const on of document.querySelectorAll("button[data-act]")) if (!(on.dataset.act in actions)) on.disabled = true;
}
