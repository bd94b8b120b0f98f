/** The ids in their order after `id` was moved to `position`; past the end, or without a position, it goes last. */
export function move(ids: readonly number[], id: number, position?: number): number[] {
  const others = ids.filter((other) => other !== id);
  others.splice(Math.min(position ?? others.length, others.length), 0, id);
  return others;
}
