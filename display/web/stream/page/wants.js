// The parameters of the overlay's address. docs/stream.md lists them.

// A scene is a set of parameters, which others in the address override.
export const scenes = {
  "two-seats": { best: "3", cards: "right" },
  "four-seats": { zones: "0", counters: "power,hand,energy,genes" },
  "lower-third": { track: "0", zones: "0", dice: "0", cards: "0" },
  "track": { seats: "0", events: "0", zones: "0", dice: "0", round: "0", cards: "0", track: "1" },
};

const no = ["0", "no", "off", "none", "false"], yes = ["1", "yes", "on", "all", "true"];

// wantsOf returns what the parameters of an address select. Those after # count
// too: a browser does not send them, so they may hold a whole picture.
export function wantsOf({ search, hash }) {
  const given = new URLSearchParams(search);
  for (const [name, value] of new URLSearchParams(hash.slice(1))) given.set(name, value);
  const query = new URLSearchParams(scenes[given.get("scene")]);
  for (const [name, value] of given) query.set(name, value);

  // flag reads a parameter that is on or off.
  const flag = (name, otherwise) => query.has(name) ? !no.includes(query.get(name)) : otherwise;
  // list reads a parameter that is true for all, false for none, or a list of
  // names.
  const list = name => query.has(name) && flag(name) && !yes.includes(query.get(name)) ?
    parts(query.get(name)) : flag(name, true);
  const number = (name, least, most) => Math.min(most, Math.max(least, Number(query.get(name)) || 0));
  const position = (query.get("position") || "bottom").split("-");
  const wins = query.has("wins") ? parts(query.get("wins")).map(one => one.split(":")) : null;
  return {
    seats: list("seats"), tracks: list("track"), counters: list("counters"), zones: list("zones"),
    dice: flag("dice", true), events: flag("events", true), prompt: flag("prompt", false),
    chances: flag("chances", false),
    round: flag("round", true), clock: flag("clock", true), notices: flag("notices", false),
    cards: flag("cards", true) && (query.get("cards") === "left" ? "left" : "right"),
    names: bySeat(query, "name"), teams: bySeat(query, "team"), colours: coloursOf(query),
    best: number("best", 0, 15), wins: wins && Object.fromEntries(wins.map(([seat, n]) => [seat, Number(n) || 0])),
    delay: number("delay", 0, 600), logo: logoOf(query.get("logo")), font: query.get("font") || "",
    theme: query.get("theme") === "light" ? "light" : "dark", scale: query.has("scale") ? number("scale", .25, 4) : 1,
    at: position.includes("top") ? "top" : "bottom",
    side: position.includes("left") ? "left" : position.includes("right") ? "right" : "centre",
  };
}

const parts = text => text.split(",").map(s => s.trim()).filter(Boolean);

// bySeat reads the parameters of each seat, such as name.red.
const bySeat = (query, group) => Object.fromEntries([...query].filter(([name]) => name.startsWith(group + "."))
  .map(([name, value]) => [name.slice(group.length + 1), value.trim()]));

const coloursOf = query => Object.fromEntries(
  Object.entries({ ...bySeat(query, "color"), ...bySeat(query, "colour") })
    .map(([seat, colour]) => [seat, "#" + colour.replace("#", "")])
    .filter(([, colour]) => /^#[0-9a-f]{6}$/i.test(colour)));

// logoOf returns the address of a picture, or nothing if it is none.
const logoOf = address => /^(https?:\/\/|\/|data:image\/)/.test(address ?? "") ? address : "";
