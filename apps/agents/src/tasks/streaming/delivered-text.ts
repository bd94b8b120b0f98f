import type { RunEvent } from '@signalbox/runs/rules';

/** What clients have heard of a message while a model was saying it. */
export interface DeliveredText {
  text: string;
  /** They have heard the beginning of another try, which has to be taken back. */
  stale: boolean;
}

/**
 * A piece of a message. The pieces of one step make one message; the one that restarts it stands for everything heard
 * of the step before: another try of the step has been made, by another worker or after a broken call.
 */
export const delta = (content: string, step: number, restart: boolean): RunEvent => ({
  event: { type: 'message.delta', data: { content, step, ...(restart ? { restart } : {}) } },
});

/** What clients still have to hear so that they know the whole message; nothing at all when they do. */
export function undelivered(
  message: string,
  step: number,
  told: DeliveredText = { text: '', stale: false },
): RunEvent[] {
  if (told.stale) return [delta(message, step, true)];
  if (!message.startsWith(told.text)) return [delta(message, step, true)];
  return message === told.text ? [] : [delta(message.slice(told.text.length), step, false)];
}
