// Sharing an owner's file: state.exchange holds { game, theirs, added, completed, differences, decide, … }.

import { change, state } from "../store.js";
import { say } from "../words.js";
import { get, send } from "./server.js";

const set = patch => change({ exchange: { ...state.exchange, ...patch } });
const fresh = {
  theirs: null, added: [], completed: [], differences: [], decide: {}, problems: [], trouble: "", busy: false,
};

// begin takes the game that the address names, else that of the match. Without one the
// page asks for it.
export async function begin() {
  const game = new URLSearchParams(location.search).get("game") ?? "";
  const box = await get("/api/workshop?" + new URLSearchParams({ game, lang: state.lang })).catch(() => null);
  const titles = Object.fromEntries((box?.cards ?? []).map(c => [c.about, c.name]));
  change({ exchange: { game: box?.game || game, games: box?.games ?? [], titles, said: "", ...fresh } });
}

const most = 1 << 20;
let taken = 0; // how many files were chosen

// take compares a file with the owner's. Of several that are chosen the last one counts.
export async function take({ file }) {
  const n = ++taken, { name, size } = file;
  set({ ...fresh, said: "", busy: true });
  if (size > most) return set({ trouble: say("files.long"), busy: false });
  const text = await textOf(file).catch(() => null);
  if (n !== taken) return;
  if (text === null) return set({ trouble: say("exchange.unreadable", { name }), busy: false });
  const csv = /\.csv$/i.test(name), journal = text.startsWith("tableside-journal");
  return merge({ name, text, csv, journal });
}

// textOf reads a file, also one in UTF-16, as spreadsheet programs save "Unicode text".
async function textOf(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const mark = bytes[0] << 8 | bytes[1];
  return new TextDecoder({ 0xfffe: "utf-16le", 0xfeff: "utf-16be" }[mark] ?? "utf-8").decode(bytes);
}

async function merge(theirs, decide) {
  const { game } = state.exchange, { text, csv, journal } = theirs, n = taken;
  set({ busy: true });
  const answer = await send(`/api/cards/${game}/merge`, { text, csv, journal, ...(decide && { decide }) });
  if (n !== taken) return; // another file was chosen meanwhile
  if (!answer.ok) {
    set({ ...fresh, trouble: answer.text, problems: answer.said?.problems ?? [] });
  } else if (answer.said.merged) {
    set({ ...fresh, said: say("exchange.done") });
  } else {
    // Another browser may have changed a card meanwhile: what was decided stays.
    const { added, completed } = answer.said;
    const differences = answer.said.differences.map(d => ({ ...d, key: d.card + (d.field && "/" + d.field) }));
    set({ theirs, added, completed, differences, busy: false });
  }
}

export const decide = ({ of, choice }) => set({ decide: { ...state.exchange.decide, [of]: choice } });

const all = choice => set({ decide: Object.fromEntries(state.exchange.differences.map(d => [d.key, choice])) });
export const mine = () => all("mine");
export const theirs = () => all("theirs");

export const cancel = () => set(fresh);
export const join = () => merge(state.exchange.theirs, state.exchange.decide);
