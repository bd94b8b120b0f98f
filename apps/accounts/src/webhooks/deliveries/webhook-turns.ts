/** Attempts of one company at once in this process. */
export const PER_COMPANY = 8;
/** Attempts at once to a webhook that answers slowly, or has not answered yet, and to all such webhooks of a company. */
const SLOW_AT_ONCE = 2;
const ALL_SLOW = 6;
/** An answer that takes longer is slow. */
const SLOW_MS = 1000;
/** How long an attempt lasts to a webhook that has not answered yet, as far as that is known. */
const UNKNOWN_MS = 100;
const MIN_DELAY_MS = 50;
const MAX_DELAY_MS = 60_000;
const MAX_KNOWN = 10_000;

interface Turns {
  companyId: number;
  running: number;
  /** Duration of the last attempt, in ms; null before the first. */
  lastMs: number | null;
  /** When the delivery that was postponed last may be sent. */
  nextAt: number;
}

/**
 * Which deliveries of a company are sent at once. Webhooks that answer at once share all slots of the company; slow ones
 * have two each and leave two of the company free, so that they delay their own deliveries and no others.
 */
export class WebhookTurns {
  private readonly webhooks = new Map<number, Turns>();

  constructor(private readonly now: () => number = Date.now) {}

  /** Takes a slot; returns null, or after how many ms the delivery may try again. */
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

  /** Gives the slot back after an attempt of so many ms. */
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
