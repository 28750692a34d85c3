// Actions of the page for labels. state.labels holds what is chosen, and what the table
// would print of it.

import { onlyPaper } from "../sheets.js";
import { change, state } from "../store.js";
import { say } from "../words.js";
import { get } from "./server.js";
import * as watch from "./watch.js";

const put = patch => change({ labels: { ...state.labels, ...patch } });

// start shows what the table prints of the game that is played.
export function start() {
  const game = new URLSearchParams(location.search).get("game") ?? "";
  const chosen = { game, set: "", size: "sleeve", paper: "a4", missing: "" };
  watch.start({ labels: { chosen, said: null, trouble: "" } });
  load();
}

// pick sets a choice. Another game has other boxes, and some sheets are sold in one size
// of paper only.
export function pick({ choice, value, checked }) {
  const chosen = { ...state.labels.chosen, [choice]: choice === "missing" ? checked ? "1" : "" : value };
  if (choice === "game") chosen.set = "";
  chosen.paper = onlyPaper(chosen.size) ?? chosen.paper;
  put({ chosen });
  load();
}

const why = { 0: "page.silent", 401: "page.may-not" };

// failed says why there is no preview. The form stays, but for a browser that may not print.
const failed = ({ cause = 0, message }) => ({
  said: cause === 401 ? null : state.labels.said, trouble: why[cause] ? say(why[cause]) : message,
});

// load asks the table for the preview. Only the newest answer counts.
async function load() {
  const { chosen } = state.labels;
  put({ busy: true });
  const query = new URLSearchParams({ ...chosen, lang: state.lang });
  const answer = await get("/api/labels?" + query).then(said => ({ said, trouble: said.why }), failed);
  if (state.labels.chosen === chosen) put({ ...answer, busy: false });
}
