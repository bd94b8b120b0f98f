import { codePointsOf, positionOf, positionOfWild } from './linear-search.js';

const [MANY, ONE] = ['%', '_'.codePointAt(0)!] as const;

/** SQL `LIKE`, case-insensitive. Does not backtrack: each part is searched for after the previous one. */
export function like(text: string, pattern: string): boolean {
  const points = codePointsOf(text.toLowerCase());
  const parts = pattern.toLowerCase().split(MANY).map(codePointsOf);
  const [first = new Uint32Array(), ...others] = parts;
  if (!fits(points, first, 0)) return false;
  const last = others.pop();
  if (!last) return points.length === first.length;
  let at = first.length;
  for (const part of others) {
    const found = part.includes(ONE) ? positionOfWild(points, part, ONE, at) : positionOf(points, part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return points.length - last.length >= at && fits(points, last, points.length - last.length);
}

function fits(points: Uint32Array, part: Uint32Array, at: number): boolean {
  if (at < 0 || at + part.length > points.length) return false;
  return part.every((point, index) => point === ONE || point === points[at + index]);
}
