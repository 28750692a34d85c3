// The keys of the table, and how a keyboard presses them.

// A seat's own keys, in their order, with a sign for each.
export const signs = {
  yes: "✓", no: "✕", left: "←", right: "→", minus: "−", plus: "+", next: "»", undo: "↶",
};

// Keys whose name is written where there is room.
export const worded = ["yes", "no", "next", "undo"];

// What is pressed on a keyboard, as the help shows it, and the key it presses.
export const strokes = [
  ["Y", "yes"], ["N", "no"], ["←", "left"], ["→", "right"], ["+", "plus"], ["−", "minus"], [".", "next"],
  ["R", "roll"], ["U", "undo"], ["⇧U", "redo"],
];

// The key that a character or a named key of the keyboard presses.
export const codes = {
  y: "yes", o: "yes", n: "no", ArrowLeft: "left", ArrowRight: "right",
  "+": "plus", "=": "plus", "-": "minus", "−": "minus", ".": "next", r: "roll", u: "undo",
};
