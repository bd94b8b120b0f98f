import type { Message, RecordedRequest } from '@signalbox/contracts';

/** The argument of `transform_session` (docs/api/workflows.md). */
export interface SessionToTransform {
  session_id: string;
  application: string | null;
  messages: Message[];
  requests: {
    request_id: string;
    intent: string | null;
    model: string;
    messages: unknown[];
    response: unknown;
    metadata: Record<string, unknown>;
    date_created: number;
  }[];
  metadata: Record<string, unknown>;
}

export interface SessionFacts {
  session_id: string;
  application: string | null;
  metadata: Record<string, unknown>;
  /** Names by intent id. */
  intents: ReadonlyMap<number, string>;
}

/**
 * `recorded` is oldest first. The messages are those of the last request, which repeats the conversation so far, and
 * its answer.
 */
export function sessionOf(facts: SessionFacts, recorded: readonly RecordedRequest[]): SessionToTransform {
  const { intents, ...session } = facts;
  const requests = recorded.map(({ request_id, intent_id, model, params, response, metadata, date_created }) => ({
    request_id,
    intent: intent_id === null ? null : (intents.get(intent_id) ?? null),
    model,
    messages: messagesIn(params),
    response: response ?? null,
    metadata,
    date_created,
  }));
  const last = requests.at(-1);
  const messages = last ? ([...last.messages, ...answersIn(last.response)] as Message[]) : [];
  return { ...session, messages, requests };
}

const messagesIn = (params: Record<string, unknown> | undefined): unknown[] =>
  Array.isArray(params?.messages) ? (params.messages as unknown[]) : [];

function answersIn(response: unknown): unknown[] {
  const { choices } = (response ?? {}) as { choices?: { message?: unknown }[] };
  const message = Array.isArray(choices) ? choices[0]?.message : undefined;
  return message ? [message] : [];
}
