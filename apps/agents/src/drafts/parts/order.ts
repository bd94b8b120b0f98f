/** Past the end, or without a position, the id comes last. */
export function move(ids: readonly number[], id: number, position?: number): number[] {
  const others = ids.filter((other) => other !== id);
  others.splice(Math.min(position ?? others.length, others.length), 0, id);
  return others;
}
