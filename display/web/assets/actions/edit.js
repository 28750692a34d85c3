// Actions of the overlay's editor. state.edit holds the parameters that the
// streamer chose, and what the preview shows of them.

import { recall, remember } from "../memory.js";
import { change, has, state } from "../store.js";
import { connect } from "../stream.js";
import { wantsOf } from "../wants.js";
import { languages, preferred, spoken } from "../words.js";

// The parameters, those of the preview, what is behind the preview, and the answer to the last
// action.
has({ edit: { params: {}, shown: {}, backdrop: "busy", said: "" } });

const PAUSE = 400;  // after the last change, before the preview follows, in milliseconds
const LOGO = 320;   // longest side of a logo from the disk, in pixels
let following = null;

const edit = patch => change({ edit: { ...state.edit, ...patch } });

// start restores what this browser remembers.
export function start() {
  let params = {};
  try { params = JSON.parse(recall("overlay")) ?? {}; } catch { /* it is damaged */ }
  const theme = new URLSearchParams(location.search).get("theme") || recall("theme") || "";
  change({ ...preferred(), theme, edit: { params, shown: params, backdrop: "busy", said: "" } });
}

export function frame(live) { change({ live, lang: spoken(live.lang) || state.lang }); }

// param sets a parameter to a field's value; a checkbox has "1" and "0".
export function param({ param: name, value, checked, kind }) {
  put(name, kind !== "flag" ? value : checked ? "1" : "0");
}

const wantedBy = params => wantsOf({ search: "?" + new URLSearchParams(params), hash: "" });

// seat shows or hides a seat.
export function seat({ seat: id, checked }) {
  const all = state.live.view.seats.map(s => s.id), shown = wantedBy(state.edit.params).seats;
  const now = all.filter(s => s === id ? checked : shown === true || shown && shown.includes(s));
  put("seats", now.length === all.length ? "" : now.join(",") || "0");
}

// wins sets how many matches a seat has won, or lets the overlay count them.
export function wins({ seat: id, value, checked }) {
  if (!id) return put("wins", checked ? state.live.view.seats.map(s => s.id + ":0").join(",") : "");
  const now = wantedBy(state.edit.params).wins ?? {};
  put("wins", Object.entries({ ...now, [id]: Number(value) || 0 }).map(([s, n]) => s + ":" + n).join(","));
}

// put sets a parameter, and leaves out all that change nothing.
function put(name, value) {
  const params = { ...state.edit.params, [name]: value };
  const wanted = params => JSON.stringify([params.lang, wantedBy(params)]);
  for (const one of Object.keys(params)) {
    const { [one]: gone, ...rest } = params;
    if (gone === "" || one !== "scene" && wanted(rest) === wanted(params)) delete params[one];
  }
  store(params);
}

function store(params) {
  remember("overlay", JSON.stringify(params));
  edit({ params, said: "" });
  clearTimeout(following);
  following = setTimeout(() => edit({ shown: params }), PAUSE);
}

// reset forgets all choices.
export function reset() { store({}); }

export function backdrop({ value }) { edit({ backdrop: value }); }

// language sets the language of this page; the overlay has its own parameter.
export function language({ value }) {
  if (!languages.includes(value)) return;
  remember("lang", value);
  change({ lang: value, requestedLang: value });
  connect();
}

// picture makes a small picture of a file, which the address can hold.
export async function picture({ file }) {
  if (!file) return;
  const url = URL.createObjectURL(file), image = new Image();
  try {
    image.src = url;
    await image.decode();
    const scale = Math.min(1, LOGO / Math.max(image.width, image.height)), canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(image.width * scale));
    canvas.height = Math.max(1, Math.round(image.height * scale));
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    put("logo", canvas.toDataURL("image/webp", .85));
  } catch {
    edit({ said: "no-picture" });
  } finally {
    URL.revokeObjectURL(url);
  }
}

export function noLogo() { put("logo", ""); }

// copy copies the address; where the browser does not allow that, it is selected.
export async function copy() {
  const field = document.getElementById("address");
  try {
    await navigator.clipboard.writeText(field.value);
    edit({ said: "copied" });
  } catch {
    field.select();
    edit({ said: "selected" });
  }
}
