// The pages' own catalogue, and the table's labels.

import { recall } from "./memory.js";
import { state } from "./store.js";

const catalogue = JSON.parse(document.getElementById("words").textContent);

export const languages = Object.keys(catalogue);

// spoken returns the page's language for a language tag such as "fr-CH", or
// undefined.
export const spoken = tag => languages.find(l => (tag || "").toLowerCase().startsWith(l));

export function preferred() {
  const requestedLang = spoken(new URLSearchParams(location.search).get("lang")) || spoken(recall("lang")) || "";
  return { requestedLang, lang: spoken(document.documentElement.lang) || "en" };
}

// say returns a text of the pages' own catalogue; {n|one|many} follows n.
export function say(key, args = {}) {
  const template = catalogue[state.lang]?.[key] ?? catalogue.en[key];
  if (template === undefined) return "«" + key + "»";
  return template.replace(/\{([^}]*)\}/g, (all, inside) => {
    const [name, one, many] = inside.split("|");
    if (!(name in args)) return all;
    if (many === undefined) return args[name];
    const n = Math.abs(args[name]);
    return n === 1 || (state.lang === "fr" && n < 2) ? one : many;
  });
}

// says writes who or what says something, as in "Red: 4".
export const says = (who, what) => say("page.says", { who, what });

// English dates, and times are written as the texts are: British.
export const local = lang => lang === "en" ? "en-GB" : lang;

const DAY = 12 * 3600 * 1000; // an older moment is shown with its date

// moment writes when something was, with its date unless that was shortly before now.
export function moment(at, now = Infinity) {
  const time = new Date(at), old = now - time > DAY;
  return time.toLocaleString(local(state.lang), { dateStyle: old ? "medium" : undefined, timeStyle: "short" });
}

// label returns the table's word for a name, as in label(view, "zone", "discard").
export const label = (view, group, name) => view.labels?.[group + "." + name] ?? name.replaceAll("-", " ");

// where names the table, and the evening and round for which somebody shall play there.
export const where = ({ view: { table }, status: { seating } }) =>
  [table, ...(seating ? [seating.evening, say("page.evening-round", { n: seating.round })] : [])].join(" · ");
