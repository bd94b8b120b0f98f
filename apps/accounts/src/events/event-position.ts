/** Binary search for the first number that is not old; `to + 1` when all are old. All old ones come first. */
export async function firstYoung(from: number, to: number, isOld: (at: number) => Promise<boolean>): Promise<number> {
  // Most ranges have no old one.
  if (from > to || !(await isOld(from))) return from;
  let [old, young] = [from, to + 1];
  while (young - old > 1) {
    const middle = Math.floor((old + young) / 2);
    if (await isOld(middle)) old = middle;
    else young = middle;
  }
  return young;
}

/** More than the events that share a message. */
const PLACES = 256;

/** A number that ascends in the order of the stream. */
export const positionOf = (message: number, place: number): number => message * PLACES + place;

export const endOf = (message: number): number => positionOf(message, PLACES - 1);

export const nextMessage = (position: number): number => Math.max(1, Math.floor((position + 1) / PLACES));
