// The words of the pages, in the language of the page.

import { recall } from "./memory.js";
import { state } from "./store.js";

const catalogue = JSON.parse(document.getElementById("words").textContent);

export const languages = Object.keys(catalogue);

// spoken returns the language of the pages that a tag such as "fr-CH" names.
export const spoken = tag => languages.find(l => (tag || "").toLowerCase().startsWith(l));

// preferred returns the language that was asked for, "" for the table's own,
// and the one to begin with.
export function preferred() {
  const wish = spoken(new URLSearchParams(location.search).get("lang")) || spoken(recall("lang")) || "";
  return { wish, lang: spoken(navigator.language) || "en" };
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
    return n === 1 || (state.lang === "fr" && n === 0) ? one : many;
  });
}

// label returns the table's word for a name, as in label(view, "zone", "discard").
export const label = (view, group, name) => view.labels?.[group + "." + name] ?? name.replaceAll("-", " ");
