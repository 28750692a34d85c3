// Actions of the overlay's editor. state.edit holds the parameters that the streamer chose,
// those of the preview, what is behind the preview, and the answer to the last action.

import { recall, remember } from "../memory.js";
import { change, state } from "../store.js";
import { wantsOf } from "../wants.js";
import { start as watch } from "./watch.js";

const PAUSE = 400;  // after the last change, before the preview follows, in milliseconds
const LOGO = 320;   // longest side of a logo from the disk, in pixels
let following = null;

const edit = patch => change({ edit: { ...state.edit, ...patch } });

// start restores what this browser remembers.
export function start() {
  let params = {};
  try { params = JSON.parse(recall("overlay")) ?? {}; } catch { /* it is damaged */ }
  watch({ edit: { params, shown: params, backdrop: "busy", said: "" } });
}

export function param({ param: name, value }) { put(name, value); }

const wantedBy = params => wantsOf({ search: "?" + new URLSearchParams(params), hash: "" });

// seat shows a seat, or hides it.
export function seat({ seat: id }) {
  const all = state.live.view.seats.map(s => s.id), { seats } = wantedBy(state.edit.params);
  const now = all.filter(s => (seats === true || seats && seats.includes(s)) !== (s === id));
  put("seats", now.length === all.length ? "" : now.join(",") || "0");
}

// wins sets how many matches a seat has won, or lets the overlay count them, or not.
export function wins({ seat: id, value }) {
  const { wins: now } = wantedBy(state.edit.params);
  if (!id) return put("wins", now ? "" : state.live.view.seats.map(s => s.id + ":0").join(","));
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

// copy copies an address; where the browser does not allow that, it is selected.
export async function copy({ from }) {
  const field = document.getElementById(from);
  try {
    await navigator.clipboard.writeText(field.value);
    edit({ said: "copied" });
  } catch {
    field.select();
    edit({ said: "selected" });
  }
}
