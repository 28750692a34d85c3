// Actions of the page alone.

import { recall, remember } from "../memory.js";
import { change, state } from "../store.js";
import { connect } from "../stream.js";
import { languages, preferred } from "../words.js";
import { loadGames } from "./frames.js";
import { restored } from "./mine.js";
import { file } from "./server.js";

// start restores what this browser remembers, and draws for the first time.
export function start() {
  change({
    ...preferred(), ...restored(),
    theme: new URLSearchParams(location.search).get("theme") || recall("theme") || "",
    plan: { ...state.plan, names: JSON.parse(recall("names") || "{}") },
  });
}

let dialogs = 0;

// show opens a dialog, and showing changes it, unless another one is open by now.
export function show(dialog) {
  const shown = { ...dialog, id: ++dialogs };
  change({ dialog: shown });
  return shown;
}

export function showing({ id }, patch) {
  if (state.dialog?.id === id) change({ dialog: { ...state.dialog, ...patch } });
}

export const close = () => change({ dialog: null });

export function open({ open: name, seat }) {
  change({ plan: { ...state.plan, changing: false } });
  show({ name, seat });
}

// keep puts what a field or a button holds into the state, at a path such as plan.pool.red.
export function keep({ keep: path, value }) {
  const put = (at, [name, ...rest]) => name === undefined ? value : { ...at, [name]: put(at?.[name], rest) };
  change(put(state, path.split(".")));
}

// sheet opens a pile, the log or many answers over the arena; look shows a card at full size.
export const sheet = ({ sheet: what }) => change({ sheet: what, shut: null, dialog: null });
export const look = zoom => change({ zoom });
export const narrow = is => change({ narrow: is });
export const shut = () => change({ sheet: "", zoom: null, shut: state.live.view.seq });
export const drawer = () => change({ drawer: !state.drawer, sheet: "", panel: state.panel + 1 });

export function choose({ lang }) {
  if (!languages.includes(lang)) return;
  remember("lang", lang);
  const here = new URL(location.href);
  here.searchParams.delete("lang");
  history.replaceState(null, "", here);
  change({ lang, requestedLang: lang, texts: {} });
  connect();
  loadGames();
}

// theme sets the colours: "light", "dark" or "" for the system's.
export function theme({ themeSet: name }) {
  remember("theme", name);
  change({ theme: name });
}

// share hands the picture of the result to the phone's own dialog where the
// browser may, and otherwise saves it.
export async function share() {
  const { match } = state.live.view, name = `tableside-${match}.png`;
  const picture = await file("/result.png?lang=" + state.lang, name);
  if (!picture) return;
  if (navigator.canShare?.({ files: [picture] })) {
    await navigator.share({ files: [picture] }).catch(() => {}); // the user changed their mind
    return;
  }
  const href = URL.createObjectURL(picture);
  Object.assign(document.createElement("a"), { href, download: name }).click();
  URL.revokeObjectURL(href);
}
