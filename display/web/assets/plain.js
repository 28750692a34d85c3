// plain removes what people leave out when they type: capitals, accents, a full stop.
export const plain = text => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim().replace(/\.$/, "");
