import { createClient, type Signalbox } from '@signalbox/sdk';
import { type HttpTarget, startHttpTarget, type TargetReply } from '@signalbox/testing';

export let target: HttpTarget;
export let client: Signalbox;
beforeAll(async () => {
  target = await startHttpTarget();
  client = createClient({ apiKey: 'svk_test', baseUrl: target.url });
});
afterAll(() => target.close());
beforeEach(() => void target.calls.splice(0));

export const json = (status: number, body: unknown, headers: Record<string, string> = {}): TargetReply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});
export const failure = (status: number, headers: Record<string, string> = {}): TargetReply =>
  json(status, { error: { status, message: 'no' } }, headers);
/** Ends before its last byte. */
export const brokenOff = (body: string, contentType = 'application/json'): TargetReply => ({
  headers: { 'content-type': contentType, 'content-length': '1000', connection: 'close' },
  body,
});

/** Replies one after the other; the last one repeats. */
export function answer(...replies: TargetReply[]): void {
  let next = 0;
  target.answerWith(() => replies[Math.min(next++, replies.length - 1)] ?? {});
}
export const keys = (): unknown[] => target.calls.map(({ headers }) => headers['idempotency-key']);
export const agent = json(200, { data: { id: 7 } });
