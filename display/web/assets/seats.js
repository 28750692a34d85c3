import { icon } from "./dom.js";
import { mine, state } from "./store.js";
import { local, say } from "./words.js";

// Every seat has a shape, so that nobody has to distinguish colours.
const shapes = {
  red: "M12 1 23 12 12 23 1 12Z",
  blue: "M12 1.5a10.5 10.5 0 1 1 0 21a10.5 10.5 0 1 1 0-21Z",
  yellow: "M12 1.5 23.5 22 .5 22Z",
  green: "M2.5 2.5h19v19h-19Z",
  white: "M8 1.5h8V8h6.5v8H16v6.5H8V16H1.5V8H8Z",
  black: "M12 .8 15.4 8.3 23.6 9.2 17.5 14.7 19.2 22.8 12 18.7 4.8 22.8 6.5 14.7.4 9.2 8.6 8.3Z",
  orange: "M6.2 2h11.6L23.6 12 17.8 22H6.2L.4 12Z",
  purple: "M12 .5C16 6.5 20.5 10 20.5 15a8.5 8.5 0 0 1-17 0C3.500 10 8 6.500 12 .5Z",
  table: "M12 1a11 11 0 1 1 0 22a11 11 0 1 1 0-22Zm0 6a5 5 0 1 0 0 10a5 5 0 1 0 0-10Z",
};

// The seats of the setup form, in this order, with their colours.
export const colours = {
  red: "#d7263d", blue: "#1b6ec2", yellow: "#f2b705", green: "#1a936f",
  white: "#e8e6e1", black: "#3a3a44", orange: "#f46036", purple: "#7b4fb5",
};

export const grey = "#8a8f9c"; // of the table, and of a seat whose colour nobody knows

// shapesOf gives every seat of a view its own shape: one of another name gets one that is free.
export function shapesOf(view) {
  const given = { table: "table" }, taken = id => view.seats.some(s => s.id === id);
  const free = Object.keys(colours).filter(id => !taken(id));
  for (const { id } of view.seats) given[id] = shapes[id] ? id : free.shift() ?? "blue";
  return given;
}

const outlines = Object.fromEntries(Object.entries(shapes).map(([name, d]) => [name, icon("shape", d)]));

export const shape = name => outlines[name] ?? outlines.blue;

// shapeOf returns a seat's shape in the setup form and in the list of matches.
export const shapeOf = seat => shapes[seat] ? seat : "blue";

// linear converts a channel of sRGB, 0 to 1, to linear light.
const linear = c => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4;

const palettes = {}; // by colour

export const palette = colour => palettes[colour] ??= paired(colour);

function paired(colour) {
  const [r, g, b] = [1, 3, 5].map(i => linear(parseInt(colour.slice(i, i + 2), 16) / 255));
  const light = .2126 * r + .7152 * g + .0722 * b;
  const dark = (light + .05) / .056 > 1.05 / (light + .05) * 1.15;
  return { "--seat": colour, "--on-seat": dark ? "#101218" : "#ffffff" };
}

export function paletteOf(view, id) {
  const s = view.seats.find(s => s.id === id);
  return s ? palette(s.colour) : {};
}

export function paint({ style }, colours) {
  for (const name of ["--seat", "--on-seat"]) style.setProperty(name, colours[name] ?? "");
}

export const winnerNames = view => // without the comma that American English has before "and"
  new Intl.ListFormat(local(state.lang)).format(view.winners.map(id => seatName(view, id)));

export const seatName = (view, id) => {
  const s = view.seats.find(s => s.id === id);
  return s?.name || view.labels?.["seat." + id] || say("seat." + id);
};

export const scoreFirst = counters =>
  Object.entries(counters).sort(([a], [b]) => (b === "score") - (a === "score"));

// seated returns the seats, and the table as one more if it plays, such as a
// boss: it has the turn, a marker on a track or a win.
export function seated(view) {
  const marked = view.tracks.some(t => Object.values(t.stacks).some(stack => stack.includes("table")));
  if (view.turn !== "table" && !view.winners.includes("table") && !marked) return view.seats;
  return [...view.seats, { id: "table", name: "", colour: grey, counters: view.counters, zones: view.zones }];
}

// around lists seats clockwise from the own one, if there is one.
export function around(seats) {
  const at = Math.max(0, seats.findIndex(s => s.id === mine()));
  return [...seats.slice(at), ...seats.slice(0, at)];
}
