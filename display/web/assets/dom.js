// Drawing without losing the focus, the scroll position or an animation.

const SVG = "http://www.w3.org/2000/svg";
const inSVG = new Set(["svg", "path", "g", "circle", "rect"]);

// h describes an element. Attributes are set unchanged, but style is an object, and
// false, null and undefined leave an attribute out. A description is never changed:
// where the same one is drawn again, the element is left as it is.
export function h(tag, attributes, ...children) {
  const key = attributes?.["data-k"];
  return { tag, key: given(key) ? String(key) : "", attributes: attributes ?? {}, children: listed(children, []) };
}

// button describes a button that calls an action, with its other data attributes as
// the arguments.
export const button = (act, attributes, ...children) =>
  h("button", { type: "button", "data-act": act, ...attributes }, ...children);

// choice describes a button that keeps a value in the state, at a path such as plan.first, and is
// pressed while that is the value now.
export const choice = (path, value, now, attributes, ...children) => button("keep", {
  "data-keep": path, "data-value": value, "data-k": value, "aria-pressed": String(value === now), ...attributes,
}, children);

// icon describes a picture of one path, in a square of 24.
export const icon = (name, d) => h("svg", { class: name, viewBox: "0 0 24 24", "aria-hidden": "true" },
  h("path", { d }));

const given = value => value !== false && value != null;
const worded = value => value === true ? "" : String(value);

function listed(nested, list) {
  for (const c of nested) {
    if (Array.isArray(c)) listed(c, list);
    else if (given(c) && c !== "") list.push(typeof c === "object" ? c : String(c));
  }
  return list;
}

const drawn = new WeakMap(); // the description of each node that was drawn; that of a text is a string

const keyOf = n => drawn.get(n)?.key;

function same(n, w) {
  const was = n && drawn.get(n); // undefined for what others have added, such as a translation
  return was !== undefined && was !== null && was.tag === w.tag && was.key === w.key;
}

// draw makes the children of an element equal to the given ones, and reuses
// every node that it can.
export const draw = (parent, ...children) => match(parent, listed(children, []));

function match(parent, wanted) {
  const nodes = parent.childNodes;
  if (nodes.length === wanted.length && wanted.every((w, i) => same(nodes[i], w))) {
    wanted.forEach((w, i) => alike(nodes[i], w)); // each has its node in its place
    return;
  }
  const keyed = new Map(), kept = new Map();
  for (const n of nodes) if (keyOf(n)) keyed.set(keyOf(n), n);
  for (const w of wanted) if (w.key) kept.set(w.key, w);
  // What is gone goes first, also what is drawn with another tag now. Else everything
  // behind it would be moved, and a button that is moved while somebody presses it is
  // not clicked.
  for (const [k, n] of keyed) if (!kept.has(k) || !same(n, kept.get(k))) n.remove();
  let at = parent.firstChild;
  for (const w of wanted) {
    let old = at;
    if (w.key) {
      old = keyed.get(w.key);
      keyed.delete(w.key);
    }
    if (same(old, w)) {
      bring(parent, old, at);
      at = old.nextSibling;
      alike(old, w);
    } else {
      parent.insertBefore(make(w), at);
    }
  }
  while (at?.nextSibling) at.nextSibling.remove();
  at?.remove();
}

function make(w) {
  const { tag } = w, text = tag === undefined;
  const n = text ? document.createTextNode(w) :
    inSVG.has(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag);
  drawn.set(n, w);
  if (text) return n;
  attributes(n, {}, w.attributes);
  for (const c of w.children) n.appendChild(make(c));
  return n;
}

// bring puts an old node where another is. What has no key and is in between is gone, and
// what is pressed stays: the others go behind it.
function bring(parent, old, at) {
  if (at === old) return;
  const pressed = old.matches(":active"), behind = old.nextSibling;
  while (at !== old && (pressed || !keyOf(at))) {
    const next = at.nextSibling;
    if (keyOf(at)) parent.insertBefore(at, behind);
    else at.remove();
    at = next;
  }
  if (at !== old) parent.insertBefore(old, at);
}

function alike(old, w) {
  const was = drawn.get(old);
  if (was === w) return;
  drawn.set(old, w);
  if (w.tag === undefined) {
    old.nodeValue = w;
    return;
  }
  attributes(old, was.attributes, w.attributes);
  if (old.disabled && !given(w.attributes.disabled)) old.disabled = false; // behave/idle.js does that
  if (w.tag === "input" || w.tag === "textarea" || w.tag === "select") field(old, w);
  else if (!given(w.attributes["data-own"])) match(old, w.children); // else the element itself sets the content
}

// field gives an old field its value: after a click or typing, attributes no longer do.
// A field that the user is typing into keeps its text. One without an action is the
// user's alone.
function field(old, w) {
  const a = w.attributes, own = !given(a["data-act"]), value = valueOf(w);
  if (old.type === "checkbox" && !own) old.checked = given(a.checked);
  const typing = old === document.activeElement;
  if (given(a["data-planned"]) && !typing && old.value !== value) old.value = value;
  if (w.tag !== "select") return; // the user sets the content
  match(old, w.children);
  if (!own && old.value !== value) old.value = value;
}

function valueOf({ tag, attributes: a, children }) {
  const chosen = tag === "select" && (children.findLast(o => given(o.attributes.selected)) ?? children[0]);
  if (chosen) return valueOf(chosen);
  return given(a.value) ? worded(a.value) : tag === "input" ? "" : children.join("");
}

// attributes gives an element its attributes, and takes away those that it was drawn with.
function attributes(e, was, now) {
  for (const name in was) {
    // The user opens and closes details.
    if (name !== "style" && name !== "open" && given(was[name]) && !given(now[name])) e.removeAttribute(name);
  }
  for (const name in now) {
    const value = now[name];
    if (name !== "style" && value !== was[name] && given(value)) e.setAttribute(name, worded(value));
  }
  const old = was.style ?? {}, style = now.style ?? {};
  for (const name in old) if (!(name in style)) e.style.removeProperty(name);
  for (const name in style) if (style[name] !== old[name]) e.style.setProperty(name, style[name]);
}

// mark gives an element an attribute, or takes it away for null. Where it has it already,
// the browser would style everything in the element again.
export function mark(e, name, value) {
  if (e.getAttribute(name) === value) return;
  if (value === null) e.removeAttribute(name);
  else e.setAttribute(name, value);
}

// dress gives the page its language, its theme, and what its style sheet needs to know of
// a match.
export function dress({ lang, theme, live }) {
  mark(document.documentElement, "lang", lang);
  if (live) mark(document.body, "data-seats", String(live.view.seats.length));
  if (live) mark(document.body, "data-game", live.view.game?.split("/")[0] ?? null);
  mark(document.documentElement, "data-theme", theme || null);
}
