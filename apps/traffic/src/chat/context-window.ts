import type { CompletionCall } from '@signalbox/contracts';

/** The messages of a call that may be left out, oldest first. */
export interface History {
  from: number;
  count: number;
}

type Sized = Pick<CompletionCall, 'messages' | 'tools' | 'max_tokens' | 'max_completion_tokens'>;

/** In tokens, for models whose context size is unknown. */
const DEFAULT_WINDOW = 128_000;
/** Fewer than most tokenisers need, so that the estimate is rather too high. */
const ASCII_PER_TOKEN = 3.5;
const PER_MESSAGE = 4;
/** What models count for a large image. Its address is often the image in base64, which they do not read as text. */
const PER_IMAGE = 1600;

/** Characters outside of ASCII count as one token each. */
export function tokensIn(text: string): number {
  let other = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) other++;
  return Math.ceil((text.length - other) / ASCII_PER_TOKEN) + other;
}

function sizeOf(message: Sized['messages'][number]): number {
  const { content } = message;
  if (!Array.isArray(content)) return tokensIn(JSON.stringify(message)) + PER_MESSAGE;
  const texts = content.filter(({ type }) => type !== 'image_url');
  const images = content.length - texts.length;
  return tokensIn(JSON.stringify({ ...message, content: texts })) + images * PER_IMAGE + PER_MESSAGE;
}

/** Leaves out the oldest messages of the history until the rest and the answer fit into the context. */
export function fittingMessages(call: Sized, { from, count }: History, window: number | null): Sized['messages'] {
  const { messages, tools } = call;
  const reserved = call.max_completion_tokens ?? call.max_tokens ?? 0;
  const sizes = messages.map(sizeOf);
  let size = sizes.reduce((sum, each) => sum + each, tools ? tokensIn(JSON.stringify(tools)) : 0) + reserved;
  let dropped = 0;
  const end = Math.min(from + count, messages.length);
  // An answer is left out together with its question.
  while (from + dropped < end && (size > (window ?? DEFAULT_WINDOW) || isOrphan(messages, from, dropped)))
    size -= sizes[from + dropped++] ?? 0;
  return dropped === 0 ? messages : messages.toSpliced(from, dropped);
}

const isOrphan = (messages: Sized['messages'], from: number, dropped: number): boolean =>
  dropped > 0 && messages[from + dropped]?.role === 'assistant';
