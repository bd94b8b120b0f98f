const RANGE = 2 ** 32;
const PRIME = 0x0100_0193;
const OFFSET = 0x811c_9dc5;

/** FNV-1a over the code units, then the finalizer of MurmurHash3, which spreads similar keys over the whole range. */
function hashOf(text: string): number {
  let hash = OFFSET;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), PRIME);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Uniform from 0 to below 100, the same for equal keys. */
export const rollOf = (key: string): number => (hashOf(key) / RANGE) * 100;
