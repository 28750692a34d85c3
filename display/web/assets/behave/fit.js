// Keeps the overlay within a third of the picture's height.

const LEVELS = 4;

// fit leaves out more and more, as overlay.css says for each level, until the
// overlay takes at most a third. Offsets do not count what only moves.
export function fit(at) {
  const root = document.documentElement, third = innerHeight / 3;
  for (let level = 0; level <= LEVELS; level++) {
    root.dataset.fit = level;
    const boxes = [...at.children].filter(e => e.offsetHeight && getComputedStyle(e).position !== "absolute");
    const tops = boxes.map(e => e.offsetTop), ends = boxes.map(e => e.offsetTop + e.offsetHeight);
    const tall = root.dataset.at === "top" ? Math.max(0, ...ends) : innerHeight - Math.min(innerHeight, ...tops);
    if (tall <= third) return;
  }
}
