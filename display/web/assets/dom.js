// Drawing without losing the focus, the scroll position or an animation.

const SVG = "http://www.w3.org/2000/svg";
const inSVG = new Set(["svg", "path", "g", "circle", "rect"]);

// h makes an element. Attributes are set unchanged, but style is an object, and
// false, null and undefined leave an attribute out.
export function h(tag, attributes, ...children) {
  const e = inSVG.has(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === false || value == null) continue;
    if (name === "style") for (const [k, v] of Object.entries(value)) e.style.setProperty(k, v);
    else e.setAttribute(name, value === true ? "" : value);
  }
  e.append(...children.flat(9).filter(c => c !== false && c != null && c !== ""));
  return e;
}

// button makes a button that calls an action, with its other data attributes as
// the arguments.
export const button = (act, attributes, ...children) =>
  h("button", { type: "button", "data-act": act, ...attributes }, ...children);

const keyOf = n => n.nodeType === 1 ? n.getAttribute("data-k") : null;
const same = (a, b) => a.nodeType === b.nodeType && a.nodeName === b.nodeName && keyOf(a) === keyOf(b);

// draw makes the children of an element equal to the given ones, and reuses
// every node that it can.
export function draw(parent, ...children) {
  const wanted = h("div", null, children);
  match(parent, [...wanted.childNodes]);
}

function match(parent, wanted) {
  const keyed = new Map(), kept = new Map();
  for (const n of parent.childNodes) if (keyOf(n)) keyed.set(keyOf(n), n);
  for (const w of wanted) if (keyOf(w)) kept.set(keyOf(w), w);
  // What is gone goes first, also what is drawn with another tag now. Else everything
  // behind it would be moved, and a button that is moved while somebody presses it is
  // not clicked.
  for (const [k, n] of keyed) if (!kept.has(k) || !same(n, kept.get(k))) n.remove();
  let at = parent.firstChild;
  for (const w of wanted) {
    let old = at;
    if (keyOf(w)) {
      old = keyed.get(keyOf(w));
      keyed.delete(keyOf(w));
    }
    if (old && same(old, w)) {
      bring(parent, old, at);
      at = old.nextSibling;
      alike(old, w);
    } else {
      parent.insertBefore(w, at);
    }
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

// bring puts an old node where another is. What has no key and is in between is gone, and
// what is pressed stays: the others go behind it.
function bring(parent, old, at) {
  const pressed = old !== at && old.matches(":active"), behind = old.nextSibling;
  while (at !== old && (pressed || !keyOf(at))) {
    const next = at.nextSibling;
    if (keyOf(at)) parent.insertBefore(at, behind);
    else at.remove();
    at = next;
  }
  if (at !== old) parent.insertBefore(old, at);
}

// alike makes an old node equal to a wanted one.
function alike(old, w) {
  if (old.nodeType !== 1) {
    if (old.nodeValue !== w.nodeValue) old.nodeValue = w.nodeValue;
    return;
  }
  attributes(old, w);
  // After a click or typing, attributes no longer set the value. A field that
  // the user is typing into keeps its text.
  // One without an action is the user's alone.
  const own = !old.hasAttribute("data-act");
  if (old.type === "checkbox" && !own) old.checked = w.checked;
  const typing = old === document.activeElement;
  if (old.matches("[data-planned]") && !typing && old.value !== w.value) old.value = w.value;
  if (old.matches("input, textarea, [data-own]")) return; // the user or the element itself sets the content
  const chosen = w.value;
  match(old, [...w.childNodes]);
  if (old.matches("select") && !own && old.value !== chosen) old.value = chosen;
}

function attributes(old, w) {
  // The user opens and closes details.
  const kept = name => name === "style" || name === "open" || name.startsWith("data-live") || w.hasAttribute(name);
  for (const name of old.getAttributeNames()) if (!kept(name)) old.removeAttribute(name);
  for (const name of w.getAttributeNames()) {
    const value = w.getAttribute(name);
    if (name !== "style" && old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  const style = w.getAttribute("style") ?? "";
  if ((old.getAttribute("style") ?? "") !== style) old.style.cssText = style;
}

// mark gives an element an attribute, or takes it away for null. Where it has it already,
// the browser would style everything in the element again.
export function mark(e, name, value) {
  if (e.getAttribute(name) === value) return;
  if (value === null) e.removeAttribute(name);
  else e.setAttribute(name, value);
}

// dress gives the page its language, and its theme if one was chosen.
export function dress({ lang, theme }) {
  mark(document.documentElement, "lang", lang);
  if (theme) mark(document.documentElement, "data-theme", theme);
}
