/** The longest message of a reply to a host call, in characters; below what the bus carries even in UTF-8. */
export const MAX_CHUNK_LENGTH = 262_144;

const MORE = '+';
const LAST = '.';

/** Splits a reply into messages; the first character of each says whether more follow. */
export function* replyChunks(text: string): Generator<string> {
  let at = 0;
  for (; text.length - at > MAX_CHUNK_LENGTH; at += MAX_CHUNK_LENGTH)
    yield MORE + text.slice(at, at + MAX_CHUNK_LENGTH);
  yield LAST + text.slice(at);
}

/** Joins the messages of replies, by the id of the host call. */
export class ReplyAssembly {
  private readonly begun = new Map<string, string[]>();

  /** The whole reply once its last message has arrived; null before. Throws when a reply is longer than `maxLength`. */
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
