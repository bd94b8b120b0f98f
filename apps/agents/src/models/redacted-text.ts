import type { SecretBag } from '@signalbox/egress';
import { storable } from '@signalbox/runs';

/** Storable chunks without the task's secrets, even across chunk borders; characters are never split. */
export async function* redactedText(texts: AsyncIterable<string>, secrets?: SecretBag): AsyncGenerator<string> {
  if (!secrets) return yield* wholeCharacters(texts);
  const decoder = new TextDecoder();
  for await (const bytes of secrets.scrubber().stream(bytesOf(wholeCharacters(texts)))) {
    const text = decoder.decode(bytes, { stream: true });
    if (text !== '') yield text;
  }
}

async function* wholeCharacters(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let held = '';
  for await (const chunk of texts) {
    const text = held + chunk;
    const cut = isFirstHalf(text.charCodeAt(text.length - 1)) ? text.length - 1 : text.length;
    held = text.slice(cut);
    const complete = storable(text.slice(0, cut));
    if (complete !== '') yield complete;
  }
  if (held !== '') yield storable(held);
}

const isFirstHalf = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

async function* bytesOf(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const text of texts) yield Buffer.from(text);
}
