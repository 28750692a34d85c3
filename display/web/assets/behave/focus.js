// The keyboard focus. A drawing does not lose the focus; when a prompt has been
// answered, the focus moves to the next answer.

// keepFocus records the focused element before a drawing, and returns a function
// that restores the focus after it. If the element is gone, or is a card that no longer
// answers, the focus moves to the next card that answers, else to the first answer; in the form
// to what does the same to the same seat, or to the first option.
export function keepFocus() {
  const on = document.activeElement ?? document.body, { act, place } = on.dataset, form = on.closest(".first");
  if (!on.matches("#ask *, #arena *, #hand *, .first *") || !on.matches(":focus-visible")) return () => {};
  const asked = on.matches("[data-legal=yes]"), same = `[data-act="${act}"]` + (place ? `[data-place="${place}"]` : "");
  return () => {
    if (on.isConnected && !on.disabled && (!asked || on.matches("[data-legal=yes]"))) return on.focus();
    const first = selector => document.querySelector(selector);
    const option = act === "changing" && first(".first .options :is(select, button, input)");
    if (form) return (option || first(".first " + same))?.focus();
    (first("[data-legal=yes]") ?? first("#ask .answers button:not(:disabled)"))?.focus();
  };
}

const answering = ["ask", "arena", "hand"].map(id => document.getElementById(id));

let before = null; // what had the focus when the table went away

// rest disables what answers while the table is away. The focus comes back with
// the table.
export function rest(lost) {
  if (lost === answering[0].inert) return;
  if (lost) before = document.activeElement;
  for (const e of answering) e.inert = lost;
  if (!lost && document.activeElement === document.body) before?.focus();
}
