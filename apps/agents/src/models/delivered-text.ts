import type { RunEvent } from '@signalbox/runs/rules';

/** The text of a message that clients have received as deltas. */
export interface DeliveredText {
  text: string;
  /** True when clients have received deltas of an earlier attempt, which have to be replaced. */
  stale: boolean;
}

/**
 * A delta of a message. The deltas of one step form one message; a `restart` delta replaces all earlier ones of the
 * step, after another attempt by another worker or after an interrupted call.
 */
export const delta = (content: string, step: number, restart: boolean): RunEvent => ({
  event: { type: 'message.delta', data: { content, step, ...(restart ? { restart } : {}) } },
});

/** Returns the deltas that complete the message for clients; none when they have received all of it. */
export function undelivered(
  message: string,
  step: number,
  delivered: DeliveredText = { text: '', stale: false },
): RunEvent[] {
  if (delivered.stale) return [delta(message, step, true)];
  if (!message.startsWith(delivered.text)) return [delta(message, step, true)];
  return message === delivered.text ? [] : [delta(message.slice(delivered.text.length), step, false)];
}
