// The signals of this browser: a tone and a vibration when one's own seat is
// asked, speech, and a screen that stays on. Where a browser lacks one of them,
// the others work.

import { mark } from "../dom.js";
import { hurry } from "../parts/clock.js";
import { aloud } from "../parts/ask.js";
import { mine, state } from "../store.js";

const manifest = document.querySelector("link[rel=manifest]");

let last = {};     // what follow found at the last drawing
let audio = null;  // plays the tones
let lock = null;   // keeps the screen on; "asked" until the browser has answered

// follow signals what has changed since the last drawing. The first one is no change.
export function follow({ live, settings, lang }) {
  const seat = mine(), { sound, speech, volume } = settings;
  const now = { sound, volume };
  if (live && seat) now.asked = askedFor(seat, live.view);
  if (live) now.hurry = hurry(live.view.clock, seat);
  if (live) now.text = speech ? aloud(state) : ""; // switched on, it says what is asked now
  if (now.asked > last.asked) call(settings);
  if (now.hurry > last.hurry) call(settings, [990, 660, 990]);
  if (sound && last.sound === false || volume !== (last.volume ?? volume)) tones(volume);
  if (now.text && last.text !== undefined && now.text !== last.text) speak(now.text, lang, volume);
  last = now;
  stayAwake();
  // The page goes to the home screen as that of the own seat, which is known from the first message on.
  if (live) mark(manifest, "href", "/manifest.webmanifest?" + new URLSearchParams({ lang, ...(seat && { seat }) }));
}

// askedFor returns 2 if a seat is asked first, 1 if it may answer besides another
// one, which it may always in some games, else 0.
const askedFor = (seat, { prompts }) =>
  prompts[0]?.seat === seat ? 2 : prompts.some(p => p.seat === seat && !p.may) ? 1 : 0;

export function listen() {
  document.addEventListener("visibilitychange", stayAwake);
  // A browser plays no tones before the user has touched the page.
  for (const by of ["pointerdown", "keydown"]) addEventListener(by, openAudio, { passive: true });
}

export function call({ vibrate, sound, volume }, pitches) {
  if (vibrate) navigator.vibrate?.([120, 80, 120]);
  if (sound) tones(volume, pitches);
}

function openAudio() {
  if (!state.settings.sound) return;
  if (!audio && window.AudioContext) audio = new AudioContext();
  if (audio?.state === "suspended") audio.resume().catch(() => {});
}

function tones(volume, pitches = [660, 990]) {
  openAudio();
  if (!audio || !volume) return;
  pitches.forEach((pitch, i) => {
    const note = audio.createOscillator(), loud = audio.createGain(), from = audio.currentTime + i * .14;
    note.type = "triangle";
    note.frequency.value = pitch;
    loud.gain.setValueAtTime(0, from);
    loud.gain.linearRampToValueAtTime(volume / 2, from + .015);
    loud.gain.exponentialRampToValueAtTime(.0001, from + .3);
    note.connect(loud).connect(audio.destination);
    note.start(from);
    note.stop(from + .3);
  });
}

function speak(text, lang, volume) {
  const voices = window.speechSynthesis;
  if (!voices || !text) return;
  const words = new SpeechSynthesisUtterance(text);
  Object.assign(words, { lang, volume, voice: voices.getVoices().find(v => v.lang.startsWith(lang)) ?? null });
  voices.cancel(); // what was asked before is no longer true
  voices.speak(words);
}

// stayAwake keeps the screen on while the own seat plays. The browser ends that
// when the page is hidden.
export async function stayAwake() {
  const { live, settings } = state;
  const view = live?.view; // the phone may wake before the first message
  const want = settings.awake && !!mine() && !!view?.match && !view.winners.length && !document.hidden;
  if (!want && lock?.release) lock.release().catch(() => {});
  if (!want || lock || !navigator.wakeLock) return;
  lock = "asked";
  try {
    lock = await navigator.wakeLock.request("screen");
    lock.addEventListener("release", () => { lock = null; });
  } catch { lock = null; } // an empty battery, or not over HTTPS
}
