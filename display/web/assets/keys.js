// The keys of the table, and how a keyboard presses them.

// A seat's own keys, in order, with their signs.
export const signs = {
  yes: "✓", no: "✕", left: "←", right: "→", minus: "−", plus: "+", next: "»", undo: "↶",
};

// Keys that show their name if there is room.
export const worded = ["yes", "no", "next", "undo"];

// The keystrokes as the help shows them, with the table's keys that they press.
export const strokes = [
  ["Y", "yes"], ["N", "no"], ["←", "left"], ["→", "right"], ["+", "plus"], ["−", "minus"], [".", "next"],
  ["R", "roll"], ["U", "undo"], ["⇧U", "redo"],
];

// pressed returns the name of a key of a keyboard that the table reads, such as
// KEY_F1; "" for a tag.
export const pressed = tag => tag.startsWith("key:") ? tag.slice(4) : "";

// The table's keys by KeyboardEvent.key.
export const codes = {
  y: "yes", o: "yes", n: "no", ArrowLeft: "left", ArrowRight: "right",
  "+": "plus", "=": "plus", "-": "minus", "−": "minus", ".": "next", r: "roll", u: "undo",
};
