// Actions of the page /setup. state.wiring holds what the table says about its parts;
// state.wired what this page says about the last order.

import { change, state } from "../store.js";
import { spoken } from "../words.js";
import { get, send } from "./server.js";
import * as watch from "./watch.js";

const EVERY = 1000; // between two looks at the table, in milliseconds

// start looks at the table for as long as somebody looks at the page.
export function start() {
  watch.start({ wired: {} });
  look();
  setInterval(() => { if (!document.hidden) look(); }, EVERY);
}

async function look() {
  try {
    const wiring = await get("/api/setup" + (state.requestedLang ? "?lang=" + state.requestedLang : ""));
    change({ wiring, lang: state.requestedLang || spoken(wiring.lang) || state.lang, lost: false, barred: 0 });
  } catch (e) {
    change(e.cause ? { barred: e.cause } : { lost: true });
  }
}

async function order(body, part) {
  const said = await send("/api/setup", body);
  const answer = state.wiring?.answer?.n ?? 0;
  change({ wired: said.ok ? { part } : { trouble: said.text, answer, part } });
  await look();
}

export const ask = ({ seat }) => order({ do: "ask", seat });

// everything shows what each strip and panel can, and asks which of the others is tapped.
export async function everything() {
  const { parts } = state.wiring, outputs = parts.filter(p => p.kind === "panel" || p.kind === "lights");
  for (const { part } of outputs) await test({ part });
  if (outputs.length < parts.length) await ask({ seat: "" });
}

export const stop = () => order({ do: "stop" });
export const use = ({ found }) => order({ do: "use", found });
export const give = ({ part, seat }) => order({ do: "give", part, seat });
export const remove = ({ part }) => order({ do: "remove", part });
export const done = () => order({ do: "done" });
export const lights = ({ chip, host, order: of, count, limit }) =>
  order({ do: "lights", chip, host, order: of, count: Number(count), limit: Number(limit) || 0 });
export const panel = ({ model, power }) => order({ do: "panel", model, power: Boolean(power) });
export const test = ({ part }) => order({ do: "test", part });

// teach gives the next key without a meaning that is pressed this one.
export async function teach({ key }) {
  const said = await send("/api/match", { do: "learn", card: "key/" + key });
  change({ wired: said.ok ? { key, receipt: said.said.n } : { trouble: said.text } });
  await look();
}
