// Names and words, as they are compared.

// nameKey returns the same for all spellings of a person's name, as NameKey of the program's
// package device does: apart from spaces, capitals, kinds of apostrophes and hyphens, and accents
// that are stored apart.
export const nameKey = name => name.normalize("NFC")
  .replace(/[’‘ʼ′\u0060´]/g, "'").replace(/[‐‑‒–−]/g, "-").replace(/\s+/g, " ").trim().toLowerCase();

// plain also removes what people leave out when they search: accents and a full stop.
export const plain = text => nameKey(text).normalize("NFKD").replace(/\p{M}/gu, "").replace(/\.$/, "");
