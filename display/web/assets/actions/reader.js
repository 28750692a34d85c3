// What a phone as reader reads. A camera's frames are decoded by the table; the texts
// or numbers of NFC tags are sent as they are.

import { change, has, state } from "../store.js";
import { restored } from "./mine.js";
import { send } from "./server.js";
import * as watch from "./watch.js";

// Camera and nfc are "", "asking", "on" or the key of why not; seen holds the codes of the newest
// frame, taken the tags that counted.
has({ reader: { camera: "", nfc: "", seen: [], taken: [], trouble: "" } });

const MOST = 4;     // tags that the page lists
const BLIND = 8000; // milliseconds without a code, until the page says what may be wrong

// This page among others of the same address: two phones are two cameras.
const PAGE = [...crypto.getRandomValues(new Uint8Array(8))].map(n => n.toString(16).padStart(2, "0")).join("");

const reader = patch => change({ reader: { ...state.reader, ...patch } });

// start restores what this browser remembers.
export const start = () => watch.start(restored());

// camera and nfc set whether they read: "", "asking", "on", or why they cannot.
export const camera = now => reader({ camera: now, seen: [], trouble: "", sawAt: Date.now() });
export const nfc = now => reader({ nfc: now, trouble: "" });

// unread reports that a tag could not be read.
export const unread = why => reader({ trouble: why });

// look sends a frame, and resolves to the status of the answer.
export async function look(blob, width, height) {
  const answer = await send("/api/reader/frame?page=" + PAGE + "&place=" + encodeURIComponent(state.seat), blob);
  if (state.reader.camera !== "on") return answer.status;
  if (!answer.ok) {
    // A busy table takes the next frame.
    if (answer.status !== 429) reader({ seen: [], trouble: answer.text });
    return answer.status;
  }
  const seen = answer.said.codes.map(code => ({ ...code, width, height }));
  const before = new Map(state.reader.seen.map(code => [code.text, code.outcome]));
  const fresh = seen.filter((code, i) => code.outcome && before.get(code.text) !== code.outcome &&
    seen.findIndex(other => other.text === code.text) === i);
  reader({ seen: keep(seen), trouble: "", ...seen.length && { sawAt: Date.now() } });
  reader({ blind: Date.now() - state.reader.sawAt > BLIND });
  fresh.forEach(take);
  return answer.status;
}

// keep adds the codes that this frame missed and that had counted less than a second
// ago: they still lie there.
function keep(seen) {
  const now = Date.now(), here = new Set(seen.map(code => code.text));
  const missed = state.reader.seen.filter(code => code.outcome && !here.has(code.text) && now - code.at < 1000);
  return [...seen.map(code => ({ ...code, at: now })), ...missed.map(code => ({ ...code, corners: null }))];
}

// tag sends what an NFC tag says.
export async function tag(text) {
  const answer = await send("/api/tap", { place: state.seat, tag: text });
  if (!answer.ok) return reader({ trouble: answer.text });
  reader({ trouble: "" });
  const { outcome = "accepted", name } = answer.said;
  take({ text, name, outcome, said: answer.text });
}

function take({ text, name, outcome, said }) {
  const n = (state.reader.taken[0]?.n ?? 0) + 1;
  reader({ taken: [{ n, name: name || text, outcome, said }, ...state.reader.taken].slice(0, MOST) });
}
