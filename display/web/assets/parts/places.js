// The pages, each with its sign.

import { icon } from "../dom.js";
import { chip } from "./bar.js";

const signs = {
  table: "M3 8 12 4l9 4-9 4zM5 9v7M19 9v7M12 12v7",
  tables: "M3 4h8v7H3zM13 4h8v7h-8zM3 13h8v7H3zM13 13h8v7h-8z",
  history: "M12 3a9 9 0 1 0 .01 0M12 7v5l4 2",
  players: "M8 4l4 4-4 4-4-4zM17 12a4 4 0 1 0 .01 0M4 20h9",
  cards: "M8 3h11v15H8zM8 6 4 7l3 14 8-1",
  stream: "M3 5h18v12H3zM8 21h8M10 8v6l5-3z",
  evenings: "M4 5h16v15H4zM4 10h16M8 3v4M16 3v4",
  parts: chip,
  trust: "M12 3l8 3v6c0 5-3 8-8 9-5-1-8-4-8-9V6z",
  more: "M4 6h16M4 12h16M4 18h16",
};

export const outline = d => icon("sign", d);
export const sign = name => outline(signs[name]);

// The first four are also the tabs of a phone.
export const pages = {
  table: { table: "/", history: "/history", players: "/players", cards: "/cards", stream: "/overlay/edit" },
  hall: { tables: "/", history: "/history", players: "/players", evenings: "/evenings" },
};
export const further = { table: { parts: "/setup", trust: "/trust" }, hall: {} };

// What the table's own menu leads to.
export const places = Object.entries({ ...pages.table, ...further.table }).slice(1);
