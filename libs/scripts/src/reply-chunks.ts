/** In characters; below the payload limit of the bus even as UTF-8. */
export const MAX_CHUNK_LENGTH = 262_144;

const MORE = '+';
const LAST = '.';
/** Without its other half it has no form in UTF-8. */
const HIGH_SURROGATE = /[\uD800-\uDBFF]/;

/** The first character of each message says whether more follow. */
export function* replyChunks(text: string): Generator<string> {
  let at = 0;
  while (text.length - at > MAX_CHUNK_LENGTH) {
    const end = at + MAX_CHUNK_LENGTH - (HIGH_SURROGATE.test(text.charAt(at + MAX_CHUNK_LENGTH - 1)) ? 1 : 0);
    yield MORE + text.slice(at, end);
    at = end;
  }
  yield LAST + text.slice(at);
}

export class ReplyAssembly {
  private readonly begun = new Map<string, string[]>();

  /** Null until the last message of the reply has arrived; throws when the reply is longer than `maxLength`. */
  add(id: string, message: string, maxLength: number): string | null {
    const chunks = this.begun.get(id) ?? [];
    chunks.push(message.slice(1));
    const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    if (length > maxLength) throw new Error(`the reply to host call ${id} is longer than ${maxLength} characters`);
    if (message.startsWith(MORE)) {
      this.begun.set(id, chunks);
      return null;
    }
    this.begun.delete(id);
    return chunks.join('');
  }
}
