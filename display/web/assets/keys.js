// The keys of the table, and how a keyboard presses them.

// A seat's own keys, in order, with their signs.
export const signs = {
  yes: "✓", no: "✕", left: "←", right: "→", minus: "−", plus: "+", next: "»", undo: "↶",
};

// The keystrokes as the help shows them, with the table's keys that they press.
export const strokes = [
  ["Y", "yes"], ["N", "no"], ["←", "left"], ["→", "right"], ["+", "plus"], ["−", "minus"], [".", "next"],
  ["R", "roll"], ["U", "undo"], ["⇧U", "redo"],
];

// What else a keystroke presses in the question.
export const presses = { h: "[data-k=hint]", p: "[data-do=play-now]" };

// pressed returns the name of a key of a keyboard that the table reads, such as
// KEY_F1 of key:KEY_F1@1c4f:0002; "" for a tag.
export const pressed = tag => tag.startsWith("key:") ? tag.slice(4).split("@")[0] : "";

// answering returns which keys of a seat do something now: those that are answers, those
// that move through the first prompt's answers and choose one, and undo.
export function answering({ view: { prompts }, status }, seat) {
  if (!prompts.length) return Object.keys(signs); // the table itself may be asking
  const list = prompts.flatMap(p => p.options), [first] = prompts;
  const pressed = (o, s, k) => o.input === `${s} key ${k}`;
  const keys = Object.keys(signs).filter(k => list.some(o => pressed(o, seat, k) || pressed(o, "table", k)));
  if (status.receipt?.override) keys.push("yes");
  if (first.seat !== seat && first.seat !== "table") return [...keys, "undo"];
  const whole = first.options.filter(o => !o.zone), own = k => whole.some(o => pressed(o, first.seat, k));
  const words = whole.some(o => !o.input.startsWith(first.seat + " key "));
  if (whole.length && !own("left") && !own("right") && (words || !own("yes"))) keys.push("left", "right");
  if (whole.some(o => o.input.includes(" choose "))) keys.push("minus", "plus");
  if (status.cursor >= 0) keys.push("yes");
  return [...keys, "undo"];
}

// The table's keys by KeyboardEvent.key.
export const codes = {
  y: "yes", o: "yes", n: "no", ArrowLeft: "left", ArrowRight: "right",
  "+": "plus", "=": "plus", "-": "minus", "−": "minus", ".": "next", r: "roll", u: "undo",
};
