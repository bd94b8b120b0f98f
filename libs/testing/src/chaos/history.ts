import { createHash } from 'node:crypto';

/** One client call and its outcome; `status` is 0 when no reply arrived. */
export interface Recorded {
  what: string;
  start: number;
  end: number;
  status: number;
  bodyHash: string;
}

/** Every client call of a run, so that the state of the platform can be compared with the replies. */
export class History {
  readonly calls: Recorded[] = [];

  /** Sends a call and records it; a call that fails in transit has status 0 and no text. */
  async record(
    what: string,
    call: () => Promise<{ status: number; text: string; head: string }>,
  ): Promise<{ status: number; text: string; head: string }> {
    const start = Date.now();
    const reply = await call().catch(() => ({ status: 0, text: '', head: '' }));
    const bodyHash = createHash('sha256').update(reply.text).digest('hex').slice(0, 16);
    this.calls.push({ what, start, end: Date.now(), status: reply.status, bodyHash });
    return reply;
  }

  /** How many calls ended with each status. */
  statuses(): Record<number, number> {
    const counts: Record<number, number> = {};
    for (const { status } of this.calls) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  }

  /** The longest a call took, in ms. */
  longest(): number {
    return Math.max(0, ...this.calls.map(({ start, end }) => end - start));
  }
}
