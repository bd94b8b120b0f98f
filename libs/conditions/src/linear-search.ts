/** For each n, the length of the longest proper prefix of `part` that is a suffix of its first n units. */
function fallbacksOf(part: ArrayLike<number>): Uint32Array {
  const fallbacks = new Uint32Array(part.length + 1);
  let length = 0;
  for (let at = 1; at < part.length; at += 1) {
    while (length > 0 && part[at] !== part[length]) length = fallbacks[length]!;
    if (part[at] === part[length]) length += 1;
    fallbacks[at + 1] = length;
  }
  return fallbacks;
}

/** Knuth-Morris-Pratt, linear for all inputs; -1 when absent. */
export function positionOf(text: ArrayLike<number>, part: ArrayLike<number>, from = 0): number {
  if (part.length === 0) return from <= text.length ? from : -1;
  const fallbacks = fallbacksOf(part);
  let length = 0;
  for (let at = from; at < text.length; at += 1) {
    while (length > 0 && text[at] !== part[length]) length = fallbacks[length]!;
    if (text[at] === part[length]) length += 1;
    if (length === part.length) return at + 1 - length;
  }
  return -1;
}

/**
 * Like `positionOf`, with wildcard units in `part` (Shift-And); each unit of the text costs the length of `part`
 * divided by 32.
 */
export function positionOfWild(text: ArrayLike<number>, part: ArrayLike<number>, wildcard: number, from = 0): number {
  const words = Math.ceil(part.length / 32);
  const wild = new Int32Array(words);
  const masks = new Map<number, Int32Array>();
  for (let at = 0; at < part.length; at += 1)
    if (part[at] === wildcard) wild[at >> 5]! |= 1 << (at & 31);
    else if (!masks.has(part[at]!)) masks.set(part[at]!, new Int32Array(words));
  for (let at = 0; at < part.length; at += 1)
    if (part[at] !== wildcard) masks.get(part[at]!)![at >> 5]! |= 1 << (at & 31);
  const none = new Int32Array(words);
  const state = new Int32Array(words);
  const [lastWord, lastBit] = [(part.length - 1) >> 5, 1 << ((part.length - 1) & 31)];
  for (let at = from; at < text.length; at += 1) {
    const mask = masks.get(text[at]!) ?? none;
    let carry = 1;
    for (let word = 0; word < words; word += 1) {
      const before = state[word]!;
      state[word] = ((before << 1) | carry) & (mask[word]! | wild[word]!);
      carry = before >>> 31;
    }
    if (state[lastWord]! & lastBit) return at + 1 - part.length;
  }
  return -1;
}

export function codePointsOf(text: string): Uint32Array {
  const points = new Uint32Array(text.length);
  let count = 0;
  for (let at = 0; at < text.length; count += 1) {
    const point = text.codePointAt(at)!;
    points[count] = point;
    at += point > 0xffff ? 2 : 1;
  }
  return points.subarray(0, count);
}
