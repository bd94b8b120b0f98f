import type { RecordedRequest } from '@signalbox/sdk';

export interface SaidMessage {
  role: string;
  content?: unknown;
  name?: string;
  tool_calls?: { id?: string; function?: { name?: string; arguments?: string } }[];
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const messagesIn = (value: unknown): SaidMessage[] =>
  Array.isArray(value)
    ? value.filter((each): each is SaidMessage => isObject(each) && typeof each.role === 'string')
    : [];

type Bodies = Pick<RecordedRequest, 'params' | 'response' | 'corrected_response'>;

export const askedOf = ({ params }: Bodies): SaidMessage[] => (isObject(params) ? messagesIn(params.messages) : []);

export const answersOf = ({ response }: Bodies): SaidMessage[] =>
  isObject(response) && Array.isArray(response.choices)
    ? messagesIn(response.choices.map((choice: unknown) => (isObject(choice) ? choice.message : null)))
    : [];

export const correctionsOf = ({ corrected_response }: Bodies): SaidMessage[] =>
  messagesIn(corrected_response?.choices.map(({ message }) => message));

export function parametersOf({ params }: Bodies): Record<string, unknown> | null {
  if (!isObject(params)) return null;
  const { messages, ...others } = params;
  return Object.keys(others).length > 0 || messages === undefined ? others : null;
}

/** Messages that the previous request of the session did not have. */
export function newlyAsked(asked: readonly SaidMessage[], before: readonly SaidMessage[]): SaidMessage[] {
  const known = before.map((message) => JSON.stringify([message.role, message.content]));
  const fresh = asked.findIndex((message, n) => known[n] !== JSON.stringify([message.role, message.content]));
  if (fresh < 0) return asked.slice(-1);
  return asked.slice(fresh);
}
