// idle disables, after a drawing, the buttons of the table page that have no action on
// another page.
export function idle(actions) {
  for (const on of document.querySelectorAll("button[data-act]")) if (!(on.dataset.act in actions)) on.disabled = true;
}
