import { judgeMessages as framedMessages, objectInReply, valueAt } from '@signalbox/conditions';
import { JUDGED_OUTCOMES, type Message, type RunnerInput } from '@signalbox/contracts';

/** Paths of the messages and of the response in a payload, unless the runner names others. */
const MESSAGES = ['messages', 'input_messages', 'input'];
const RESPONSE = ['response.choices[0].message', 'response', 'output'];

export interface Judged {
  messages: unknown;
  response: unknown;
}

/** Returns a problem when a configured path selects nothing. */
export function judgedOf(payload: object, { messages_path, response_path }: RunnerInput): Judged | { problem: string } {
  const messages = at(payload, messages_path, MESSAGES);
  const response = at(payload, response_path, RESPONSE);
  if (messages === undefined && messages_path) return { problem: `the payload has no value at ${messages_path}` };
  if (response === undefined && response_path) return { problem: `the payload has no value at ${response_path}` };
  if (response === undefined) return { problem: 'the payload has no response' };
  return { messages: messages ?? null, response };
}

function at(payload: object, path: string | null | undefined, usual: readonly string[]): unknown {
  if (path) return valueAt(payload, path);
  return usual.map((each) => valueAt(payload, each)).find((value) => value !== undefined);
}

export const judgeMessages = (instruction: string, judged: Judged): Message[] =>
  framedMessages({ ...JUDGE, instruction }, judged);

const JUDGE = {
  role: 'You judge the work of an AI system by the instruction below.',
  data: 'the messages that the system received and its response.',
  reply:
    'Reply with a JSON object: "verdict" is "PASS" when the response meets the instruction, "WARNING" when it is doubtful and "FAULT" when it does not; "reason" says why in one sentence.',
};

/** The JSON Schema that models are asked for. */
export const VERDICT_SCHEMA = {
  type: 'object',
  properties: { verdict: { type: 'string', enum: [...JUDGED_OUTCOMES] }, reason: { type: 'string' } },
  required: ['verdict'],
};

/** Null without a valid verdict. */
export function verdictIn(content: unknown): { verdict: string } | null {
  const reply = objectInReply(content);
  const isVerdict = (JUDGED_OUTCOMES as readonly unknown[]).includes(reply?.verdict);
  return isVerdict ? (reply as { verdict: string }) : null;
}
