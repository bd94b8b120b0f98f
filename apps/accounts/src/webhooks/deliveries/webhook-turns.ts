/** Concurrent attempts of one company in this process. */
export const PER_COMPANY = 8;
/** Concurrent attempts to one slow webhook, and to all of a company; without a response so far it counts as slow. */
const SLOW_AT_ONCE = 2;
const ALL_SLOW = 6;
/** A response that takes longer is slow. */
const SLOW_MS = 1000;
/** Assumed duration of an attempt to a webhook without a response so far. */
const UNKNOWN_MS = 100;
const MIN_DELAY_MS = 50;
const MAX_DELAY_MS = 60_000;
const MAX_KNOWN = 10_000;

interface Turns {
  companyId: number;
  running: number;
  /** Null before the first attempt. */
  lastMs: number | null;
  /** When the delivery that was postponed last may be sent. */
  nextAt: number;
}

/**
 * Shares the slots of a company among its webhooks. Fast ones use all slots; slow ones have two each and leave two of
 * the company free, so that they delay only their own deliveries.
 */
export class WebhookTurns {
  private readonly webhooks = new Map<number, Turns>();

  constructor(private readonly now: () => number = Date.now) {}

  /** Takes a slot and returns null, or returns after how many ms the delivery may try again. */
  begin(companyId: number, webhookId: number): number | null {
    const webhook = this.of(companyId, webhookId);
    if (!this.isSlow(webhook) || (webhook.running < SLOW_AT_ONCE && this.slowOf(companyId) < ALL_SLOW)) {
      webhook.running += 1;
      return null;
    }
    const now = this.now();
    webhook.nextAt = Math.max(webhook.nextAt, now) + (webhook.lastMs ?? UNKNOWN_MS) / SLOW_AT_ONCE;
    const most = webhook.lastMs === null ? SLOW_MS : MAX_DELAY_MS;
    return Math.min(Math.max(webhook.nextAt - now, MIN_DELAY_MS), most);
  }

  end(companyId: number, webhookId: number, durationMs: number): void {
    const webhook = this.of(companyId, webhookId);
    webhook.running -= 1;
    webhook.lastMs = durationMs;
    if (!this.isSlow(webhook)) webhook.nextAt = 0;
  }

  private of(companyId: number, webhookId: number): Turns {
    const known = this.webhooks.get(webhookId) ?? { companyId, running: 0, lastMs: null, nextAt: 0 };
    this.webhooks.delete(webhookId);
    this.webhooks.set(webhookId, known);
    for (const [id, { running }] of this.webhooks) {
      if (this.webhooks.size <= MAX_KNOWN) break;
      if (running === 0) this.webhooks.delete(id);
    }
    return known;
  }

  private isSlow({ lastMs }: Turns): boolean {
    return lastMs === null || lastMs >= SLOW_MS;
  }

  private slowOf(companyId: number): number {
    let running = 0;
    for (const webhook of this.webhooks.values())
      if (webhook.companyId === companyId && this.isSlow(webhook)) running += webhook.running;
    return running;
  }
}
