/**
 * The first number from `from` to `to` that is not old, when all old ones come first; `to + 1` when all are old. The
 * number of questions grows with the logarithm of the range.
 */
export async function firstYoung(from: number, to: number, isOld: (at: number) => Promise<boolean>): Promise<number> {
  // Most ranges begin with a young one.
  if (from > to || !(await isOld(from))) return from;
  let [old, young] = [from, to + 1];
  while (young - old > 1) {
    const middle = Math.floor((old + young) / 2);
    if (await isOld(middle)) old = middle;
    else young = middle;
  }
  return young;
}

/** Places per message: more than events share one. */
const PLACES = 256;

/** The place of an event in the stream as one number, ascending in the order of the stream. */
export const positionOf = (message: number, place: number): number => message * PLACES + place;

/** The position after the last event of a message. */
export const endOf = (message: number): number => positionOf(message, PLACES - 1);

/** The first message that may have events after a position. */
export const nextMessage = (position: number): number => Math.max(1, Math.floor((position + 1) / PLACES));
