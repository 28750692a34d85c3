// What the table page and the overlay share: words, the live stream, colours
// and shapes, and drawing without losing focus.

const catalogue = JSON.parse(document.getElementById("words").textContent);
const query = new URLSearchParams(location.search);

export const languages = Object.keys(catalogue);

const spoken = lang => languages.find(l => (lang || "").toLowerCase().startsWith(l));

export const store = {
  get(key) { try { return localStorage.getItem("tableside." + key); } catch { return null; } },
  set(key, value) { try { localStorage.setItem("tableside." + key, value); } catch { /* private window */ } },
};

// language.wish is what was asked for, "" for the table's own.
export const language = { wish: spoken(query.get("lang")) || spoken(store.get("lang")) || "", now: spoken(navigator.language) || "en" };

// say speaks a text of the pages' own catalogue; {n|one|many} follows n.
export function say(key, args = {}) {
  const template = catalogue[language.now]?.[key] ?? catalogue.en[key];
  if (template === undefined) return "«" + key + "»";
  return template.replace(/\{([^}]*)\}/g, (all, inside) => {
    const [name, one, many] = inside.split("|");
    if (!(name in args)) return all;
    if (many === undefined) return args[name];
    const n = Math.abs(args[name]);
    return n === 1 || (language.now === "fr" && n === 0) ? one : many;
  });
}

// label is the table's word for a name, as label(view, "zone", "discard").
export const label = (view, group, name) => view.labels?.[group + "." + name] ?? name.replaceAll("-", " ");

// --- drawing ---------------------------------------------------------------

const SVG = "http://www.w3.org/2000/svg";
const inSVG = new Set(["svg", "path", "g", "circle", "rect"]);

// h makes an element. Attributes are set as they are; style is an object;
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

const keyOf = n => n.nodeType === 1 ? n.getAttribute("data-k") : null;
const same = (a, b) => a.nodeType === b.nodeType && a.nodeName === b.nodeName && keyOf(a) === keyOf(b);

// draw makes the children of an element look like the ones given, and keeps
// every node that can stay: focus, scrolling and running animations survive.
export function draw(parent, ...children) {
  const wanted = h("div", null, children);
  match(parent, [...wanted.childNodes]);
}

function match(parent, wanted) {
  const keyed = new Map();
  for (const n of parent.childNodes) if (keyOf(n)) keyed.set(keyOf(n), n);
  let at = parent.firstChild;
  for (const w of wanted) {
    let old = keyOf(w) ? keyed.get(keyOf(w)) : at;
    if (!old || !same(old, w)) old = null;
    if (old) {
      if (old === at) at = at.nextSibling;
      else parent.insertBefore(old, at);
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

function alike(old, w) {
  if (old.nodeType !== 1) {
    if (old.nodeValue !== w.nodeValue) old.nodeValue = w.nodeValue;
    return;
  }
  for (const a of [...old.attributes]) if (a.name !== "style" && !w.hasAttribute(a.name) && !a.name.startsWith("data-live")) old.removeAttribute(a.name);
  for (const a of w.attributes) if (a.name !== "style" && old.getAttribute(a.name) !== a.value) old.setAttribute(a.name, a.value);
  if (old.style.cssText !== w.style.cssText) old.style.cssText = w.style.cssText;
  if (old.type === "checkbox") old.checked = w.checked; // what was clicked once looks at no attribute any more
  // So does what was typed, which may stand in two places: but not below the fingers.
  if (old.matches("[data-planned]") && old !== document.activeElement && old.value !== w.value) old.value = w.value;
  if (old.matches("input, textarea, [data-own]")) return; // the user's, or its own
  const chosen = w.value;
  match(old, [...w.childNodes]);
  if (old.matches("select") && old.value !== chosen) old.value = chosen;
}

// --- seats -----------------------------------------------------------------

// A shape for each seat, so that nobody has to tell colours apart.
const shapes = {
  diamond: "M12 1 23 12 12 23 1 12Z",
  circle: "M12 1.5a10.5 10.5 0 1 1 0 21a10.5 10.5 0 1 1 0-21Z",
  triangle: "M12 1.5 23.5 22 .5 22Z",
  square: "M2.5 2.5h19v19h-19Z",
  cross: "M8 1.5h8V8h6.5v8H16v6.5H8V16H1.5V8H8Z",
  star: "M12 .8 15.4 8.3 23.6 9.2 17.5 14.7 19.2 22.8 12 18.7 4.8 22.8 6.5 14.7.4 9.2 8.6 8.3Z",
  hexagon: "M6.2 2h11.6L23.6 12 17.8 22H6.2L.4 12Z",
  ring: "M12 1a11 11 0 1 1 0 22a11 11 0 1 1 0-22Zm0 6a5 5 0 1 0 0 10a5 5 0 1 0 0-10Z", // the table's
  drop: "M12 .5C16 6.5 20.5 10 20.5 15a8.5 8.5 0 0 1-17 0C3.500 10 8 6.500 12 .5Z",
};
const ofSeat = { red: "diamond", blue: "circle", yellow: "triangle", green: "square", white: "cross", black: "star", orange: "hexagon", purple: "drop", table: "ring" };

// shapesOf gives every seat of a view its own shape.
export function shapesOf(view) {
  const given = { table: "ring" }, free = Object.keys(shapes).filter(name => name !== "ring");
  const take = (seat, name) => { given[seat] = name; free.splice(free.indexOf(name), 1); };
  for (const s of view.seats) if (free.includes(ofSeat[s.id])) take(s.id, ofSeat[s.id]);
  for (const s of view.seats) if (!given[s.id]) take(s.id, free[0] ?? "circle");
  return given;
}

export const shape = (name, extra = "") =>
  h("svg", { class: "shape " + extra, viewBox: "0 0 24 24", "aria-hidden": "true" }, h("path", { d: shapes[name] ?? shapes.circle }));

export const shapeOf = seat => ofSeat[seat] ?? "circle";

// palette is a seat's colour with the ink that is read best on it.
export function palette(colour) {
  const [r, g, b] = [1, 3, 5].map(i => parseInt(colour.slice(i, i + 2), 16) / 255).map(c => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4);
  const light = .2126 * r + .7152 * g + .0722 * b;
  return { "--seat": colour, "--on-seat": (light + .05) / .056 > 1.05 / (light + .05) * 1.15 ? "#101218" : "#ffffff" };
}

export const seatName = (view, id) => {
  const s = view.seats.find(s => s.id === id);
  return s?.name || view.labels?.["seat." + id] || say("seat." + id);
};

// seated are the seats, and as one more of them a table that plays, such as a
// boss: with a turn, a marker or a win.
export function seated(view) {
  const plays = view.turn === "table" || view.winners.includes("table") || view.tracks.some(t => Object.values(t.stacks).some(stack => stack.includes("table")));
  return plays ? [...view.seats, { id: "table", name: "", colour: "#8a8f9c", counters: view.counters, zones: view.zones }] : view.seats;
}

// --- the live stream -------------------------------------------------------

// live keeps a stream open for as long as the page is: whole state first
// after every connection. on.frame(live, first), on.picture(name),
// on.lost(true|false).
export function live(on) {
  let source, heard = 0, again, delay = 500;
  const open = () => {
    clearTimeout(again);
    source?.close();
    let first = true;
    const mine = source = new EventSource("/api/live" + (language.wish ? "?lang=" + language.wish : ""));
    const listen = (name, f) => mine.addEventListener(name, e => { if (mine !== source) return; heard = Date.now(); f(e); });
    listen("open", () => { delay = 500; });
    listen("beat", () => {});
    listen("frame", e => {
      const message = JSON.parse(e.data);
      whole(message.view);
      language.now = spoken(message.lang) || language.now;
      on.lost?.(false);
      on.frame(message, first);
      first = false;
    });
    listen("picture", e => on.picture?.(e.data));
    mine.onerror = () => {
      if (mine !== source) return;
      on.lost?.(true);
      mine.close();
      again = setTimeout(open, delay);
      delay = Math.min(delay * 1.6, 5000);
    };
    heard = Date.now();
  };
  // A sleeping phone keeps a dead connection without noticing.
  setInterval(() => { if (Date.now() - heard > 40000) open(); }, 5000);
  document.addEventListener("visibilitychange", () => { if (!document.hidden && Date.now() - heard > 20000) open(); });
  open();
  return { reopen: open };
}

// whole gives a view the lists that a careless game has left out.
function whole(view) {
  for (const list of ["seats", "tracks", "dice", "prompts", "winners", "notices"]) view[list] ??= [];
  for (const t of view.tracks) { t.areas ??= []; t.stacks ??= {}; }
  for (const p of view.prompts) p.options ??= [];
}

// send sends to the table. It resolves to what the table said, with ok where
// it did what was asked and else with what went wrong as the text.
export async function send(path, body) {
  try {
    const answer = await fetch(path + "?lang=" + language.now, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
    });
    const said = await answer.json().catch(() => ({})), status = answer.status;
    if (answer.ok) return { ok: true, text: said.text, status };
    if (status === 401 || status === 403) return { text: say("page.may-not"), status };
    return { text: said.text || said.error || say("page.broken"), status };
  } catch {
    return { text: say("page.away"), status: 0 };
  }
}

// post is send where the table will say itself, in the next frame, what came
// of it: then it resolves to null.
export async function post(path, body) {
  const said = await send(path, body);
  return said.ok ? null : said;
}
