// The camera and the NFC reader of this browser. Where it lacks one of them, the other
// works.

import * as actions from "../actions/reader.js";
import { state } from "../store.js";
import { call } from "./mine.js";

const QUALITY = .6;                // of a frame's JPEG
const LONG = 1280, SHORT = 720;    // the largest frame that the table takes
const PAUSE = 40, PATIENCE = 1000; // milliseconds between frames; after a refusal

let media = null;   // the camera's stream
let scan = null;    // ends reading NFC tags
let taken = 0;      // number of the newest tag that was signalled
const canvas = document.createElement("canvas");

export const switches = { camera: startCamera, nfc: startNFC, stop: () => stop() };

// follow shows the camera's picture, and signals a new tag that counts.
export function follow({ reader, settings }) {
  const video = document.querySelector("video");
  if (video && video.srcObject !== media) {
    video.srcObject = media;
    video.play().catch(() => {}); // the page was left meanwhile
  }
  const newest = reader.taken[0];
  if (newest && newest.n > taken && newest.outcome === "accepted") call(settings);
  taken = newest?.n ?? 0;
}

async function startCamera() {
  actions.camera("asking");
  try {
    media = await navigator.mediaDevices.getUserMedia(
      { audio: false, video: { width: { ideal: 640 }, height: { ideal: 480 }, facingMode: "environment" } });
  } catch (e) {
    const { name } = e;
    return actions.camera(name === "NotAllowedError" ? "refused" : name === "NotFoundError" ? "missing" : "broken");
  }
  const mine = media;
  mine.getTracks()[0]?.addEventListener("ended", () => { if (media === mine) stop("broken"); });
  actions.camera("on");
  read(mine);
}

function stop(why = "") {
  media?.getTracks().forEach(track => track.stop());
  media = null;
  scan?.abort();
  scan = null;
  actions.camera(why);
  actions.nfc("");
}

async function read(mine) {
  while (media === mine) {
    const blob = document.hidden || state.lost ? null : await picture(document.querySelector("video"));
    const status = blob && media === mine ? await actions.look(blob, canvas.width, canvas.height) : 0;
    const rest = status === 200 || !blob ? PAUSE : status === 429 ? PAUSE * (1 + 3 * Math.random()) : PATIENCE;
    await new Promise(done => setTimeout(done, rest));
  }
}

// picture resolves to what the camera sees, null before it sees anything.
async function picture(video) {
  if (!video?.videoWidth) return null;
  const { videoWidth: width, videoHeight: height } = video;
  const scale = Math.min(1, LONG / Math.max(width, height), SHORT / Math.min(width, height));
  canvas.width = Math.floor(width * scale);
  canvas.height = Math.floor(height * scale);
  canvas.getContext("2d").drawImage(video, 0, 0, canvas.width, canvas.height);
  return new Promise(done => canvas.toBlob(done, "image/jpeg", QUALITY));
}

async function startNFC() {
  const reader = new window.NDEFReader();
  reader.addEventListener("reading", ({ serialNumber, message }) => {
    const read = textOf(message) || serialNumber.replaceAll(":", "").toUpperCase();
    if (read) actions.tag(read);
    else actions.unread("unread");
  });
  reader.addEventListener("readingerror", () => actions.unread("unread"));
  scan = new AbortController();
  actions.nfc("asking");
  try {
    await reader.scan({ signal: scan.signal });
    actions.nfc("on");
  } catch ({ name }) {
    if (name !== "AbortError") actions.nfc(name === "NotAllowedError" ? "refused" : "missing");
  }
}

// textOf returns the text of a tag that says which card it is, as other readers prefer
// it to the tag's number.
function textOf({ records }) {
  const texts = [...records].filter(r => r.recordType === "text" && r.data)
    .map(r => new TextDecoder(r.encoding || "utf-8").decode(r.data).trim());
  return texts.find(text => text.startsWith("tableside:"));
}
