import { createHash } from 'node:crypto';

/** `status` is 0 when no reply arrived. */
export interface Recorded {
  what: string;
  start: number;
  end: number;
  status: number;
  bodyHash: string;
}

export class History {
  readonly calls: Recorded[] = [];

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

  statuses(): Record<number, number> {
    const counts: Record<number, number> = {};
    for (const { status } of this.calls) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  }

  longest(): number {
    return Math.max(0, ...this.calls.map(({ start, end }) => end - start));
  }
}
