// Tags and versions on the page for the owner's cards: what lies on a reader opens its
// card or is taught, and old versions of the file come back.

import { change, state } from "../store.js";
import { nameOf } from "../workshop-lines.js";
import { isTyped, load, open, put, show } from "./workshop.js";
import { get, send } from "./server.js";

let seen = null; // the number of the newest tag, null before the page knows it

// watchTags looks which tag was laid down when the table has answered one.
export async function watchTags() {
  if (!state.live?.rights.keep) return;
  const last = await get("/api/workshop/tag").catch(() => null);
  if (!last) return;
  const fresh = seen !== null && last.n > seen;
  seen = Math.max(last.n, seen ?? 0);
  if (fresh) lay(last);
}

// lay opens the card of a tag, unless something is typed into another one. An unknown tag
// becomes the card that is being taught, or waits until somebody says which card it is.
function lay({ tag, card }) {
  const { workshop } = state, [title, copy = ""] = card.split("/");
  if (card && title === workshop.game) {
    const about = copy.split(".")[0];
    put({ tag: { tag, card, name: nameOf(workshop.box, about) } });
    const other = workshop.card?.about !== about && !isTyped();
    if (other && workshop.box?.cards.some(c => c.about === about)) open({ open: about });
  } else if (!card && workshop.teaching && workshop.card?.next) {
    put({ tag: { tag, card: "" } });
    teach();
  } else {
    put({ tag: { tag, card } });
  }
}

let teachings = Promise.resolve(); // one after the other: each takes the next copy

// teach tells the table that the tag is the next copy of the open card without one.
export function teach() {
  const { tag } = state.workshop;
  return teachings = teachings.then(() => learn(tag));
}

async function learn(tag) {
  const { card } = state.workshop;
  if (!card?.next) return;
  const said = await send("/api/match", { do: "learn", tag: tag.tag, card: card.next });
  if (!said.ok) return put({ tag: { ...tag, trouble: said.text } });
  await load();
  const now = state.workshop.box?.cards.find(c => c.about === card.about);
  put({ tag: { tag: tag.tag, card: card.next, name: card.name, learnt: said.text } });
  if (now && state.workshop.card === card) put({ card: { ...card, next: now.next, taught: now.taught } });
}

// forget closes the message about a tag.
export const forget = () => put({ tag: null });

// teaching sets whether each tag that is laid down is taught as the open card.
export const teaching = ({ checked }) => put({ teaching: checked });

// --- versions ----------------------------------------------------------------

// history shows the old versions of the file, or hides them.
export async function history() {
  if (state.workshop.history) return put({ history: null });
  put({ history: await versions() });
  change({ focus: { on: "#history h2", show: true } });
}

const versions = () => get("/api/workshop/history?game=" + encodeURIComponent(state.workshop.game))
  .then(said => said.versions, () => []);

let undoing = Promise.resolve(); // one after the other: each begins where the last one ended

// undo takes the newest change back, then the one before it.
export const undo = () => undoing = undoing.then(takeBack);

async function takeBack() {
  const all = await versions(), { back } = state.workshop;
  const version = all.find(v => back === null || v.n < back);
  if (!version) return put({ said: "nothing" });
  await restore({ n: version.n, undone: true });
}

// restore makes an old version the file again.
export async function restore({ n, undone }) {
  const said = await send("/api/workshop/history", { game: state.workshop.game, n: Number(n) });
  if (!said.ok) return put({ said: said.text });
  await load();
  const { box, card, history: shown } = state.workshop, now = card && box.cards.find(c => c.about === card.about);
  if (now && !isTyped()) show(now); // else saving shows both
  put({ said: undone ? "undone" : "restored", back: undone ? Number(n) : null });
  if (shown) put({ history: await versions() });
}
