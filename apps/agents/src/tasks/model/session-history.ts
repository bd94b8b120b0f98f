import type { Message } from '@signalbox/contracts';

export interface EarlierTask {
  input_messages: Message[];
  output: Message | null;
}

const MAX_HISTORY = 40;
/** As JSON: about what the largest contexts take. Each model call carries it over the bus, whose messages are bounded. */
const MAX_HISTORY_BYTES = 4 * 1024 * 1024;
/** Messages of one input that are compared with the history; older ones would not be in it. */
const MAX_COMPARED = 200;

/**
 * The questions and answers of the completed tasks of a session, oldest first, each message once, the last 40 and
 * at most 4 MiB. A caller that keeps the conversation itself sends all of it with each question, so repeated messages
 * are left out. Without tool calls and system messages, which concern only the task that produced them.
 */
export function historyOf(earlier: readonly EarlierTask[]): Message[] {
  let known: Message[] = [];
  for (const { input_messages, output } of earlier) {
    const input = conversationIn(input_messages).slice(-MAX_COMPARED);
    const repeated = repeats(known.slice(-MAX_COMPARED), contextOf(input));
    known = [
      ...known,
      ...input.filter((_, at) => !repeated.context.has(at)),
      ...conversationIn(output ? [output] : []),
    ];
  }
  return newest(known.slice(-MAX_HISTORY));
}

function newest(messages: Message[]): Message[] {
  let from = messages.length;
  for (let bytes = 0; from > 0; from--) {
    bytes += Buffer.byteLength(JSON.stringify(messages[from - 1]));
    if (bytes > MAX_HISTORY_BYTES) break;
  }
  // An answer is left out together with its question.
  return messages.slice(from > 0 && messages[from]?.role === 'assistant' ? from + 1 : from);
}

/** Leaves out the messages that the input repeats. */
export function historyBefore(input: readonly Message[], history: Message[]): Message[] {
  const { known } = repeats(history, contextOf(conversationIn(input).slice(-MAX_COMPARED)));
  return history.filter((_, at) => !known.has(at));
}

const conversationIn = (messages: readonly Message[]): Message[] =>
  messages.filter(({ role, tool_calls: calls }) => (role === 'user' || role === 'assistant') && !calls?.length);

/** The part of an input that may repeat the conversation: up to its last answer. The rest is the question. */
const contextOf = (input: readonly Message[]): Message[] =>
  input.slice(0, input.findLastIndex(({ role }) => role === 'assistant') + 1);

/** The positions of the longest common subsequence of two conversations. */
function repeats(known: readonly Message[], context: readonly Message[]): { known: Set<number>; context: Set<number> } {
  const found = { known: new Set<number>(), context: new Set<number>() };
  const [left, right] = [known.map(textOfMessage), context.map(textOfMessage)];
  const width = right.length + 1;
  const lengths = new Uint16Array((left.length + 1) * width);
  for (let i = left.length - 1; i >= 0; i--)
    for (let j = right.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        left[i] === right[j]
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
  for (let i = 0, j = 0; i < left.length && j < right.length;) {
    if (left[i] === right[j]) {
      found.known.add(i++);
      found.context.add(j++);
    } else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) i++;
    else j++;
  }
  return found;
}

/** Equal for a text and for that text as the only part of a message. */
function textOfMessage({ role, content }: Message): string {
  const only = Array.isArray(content) && content.length === 1 ? content[0] : undefined;
  return JSON.stringify([role, only?.type === 'text' ? only.text : content]);
}
