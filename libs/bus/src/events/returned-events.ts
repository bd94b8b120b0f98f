import type { ConsumedEvent } from './consumed-messages.js';

/** After this time beyond its pause the event has gone to another process. */
const GRACE_MS = 30_000;
const SWEEP_MS = 10_000;

interface ReturnedEvent {
  companyId: number;
  seq: number;
  index: number;
  failures: number;
  returns: number;
  /** Infinity while other events of the message have no outcome. */
  expiresAt: number;
}

/**
 * Events returned to their stream because this process holds enough of their company: how often they failed, and which
 * later events have to wait for them. The order of a resource is that of the stream.
 */
export class ReturnedEvents {
  private readonly byResource = new Map<string, Map<string, ReturnedEvent>>();
  private readonly byCompany = new Map<number, number>();
  private sweptAt = performance.now();

  countOf(companyId: number): number {
    return this.byCompany.get(companyId) ?? 0;
  }

  recall(event: ConsumedEvent): void {
    const known = this.byResource.get(event.resource)?.get(event.about.messageId);
    if (!known) return;
    event.failures = known.failures;
    event.returns = known.returns;
  }

  isBehind(event: ConsumedEvent): boolean {
    const returned = this.byResource.size > 0 && this.byResource.get(event.resource);
    if (!returned) return false;
    const now = performance.now();
    for (const each of returned.values()) if (isBefore(each, event) && each.expiresAt > now) return true;
    return false;
  }

  /** Its message returns to the stream once each of its events has an outcome. */
  add(event: ConsumedEvent, pauseMs: number): void {
    this.remove(event);
    const { resource, about, delivery, index, failures } = event;
    const { companyId, messageId } = about;
    const returns = event.returns + 1;
    const returned = { companyId, seq: delivery.seq, index, failures, returns, expiresAt: Infinity };
    const others = this.byResource.get(resource);
    if (others) others.set(messageId, returned);
    else this.byResource.set(resource, new Map([[messageId, returned]]));
    this.byCompany.set(companyId, this.countOf(companyId) + 1);
    delivery.returned(pauseMs, (dueInMs) => (returned.expiresAt = performance.now() + dueInMs + GRACE_MS));
  }

  remove({ resource, about: { messageId } }: ConsumedEvent): void {
    if (this.byResource.size > 0) this.delete(resource, messageId);
  }

  sweep(): void {
    const now = performance.now();
    if (now - this.sweptAt < SWEEP_MS) return;
    this.sweptAt = now;
    for (const [resource, returned] of this.byResource)
      for (const [messageId, { expiresAt }] of returned) if (expiresAt <= now) this.delete(resource, messageId);
  }

  private delete(resource: string, messageId: string): void {
    const returned = this.byResource.get(resource);
    const known = returned?.get(messageId);
    if (!returned || !known) return;
    returned.delete(messageId);
    if (returned.size === 0) this.byResource.delete(resource);
    const left = this.countOf(known.companyId) - 1;
    if (left > 0) this.byCompany.set(known.companyId, left);
    else this.byCompany.delete(known.companyId);
  }
}

const isBefore = ({ seq, index }: ReturnedEvent, event: ConsumedEvent): boolean =>
  seq < event.delivery.seq || (seq === event.delivery.seq && index < event.index);
