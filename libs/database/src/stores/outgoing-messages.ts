import { randomUUID } from 'node:crypto';
import { type AuditedType, type Emission, eventSubject } from '@signalbox/contracts';
import type { OutboxStream } from '@signalbox/platform';
import { boundedRecord, MAX_FIELD_BYTES, MAX_MESSAGE_BYTES } from '../bounded-record.js';
import { MAX_SHARED_BYTES, ownFields, sharedFields } from './shared-fields.js';

export interface AuditNote {
  action: string;
  resource_type: AuditedType;
  resource_id: string;
  before?: unknown;
  after?: unknown;
  reason?: string;
}

export interface Actor {
  companyId: number;
  keyId: number | null;
  requestId: string;
}

export interface OutgoingMessage {
  id: string;
  subject: string;
  payload: string;
}

/** Events per message; the byte limit of messages applies too. */
const MAX_EVENTS = 200;
/** Upper bound of the bytes of an envelope without its data. */
const ENVELOPE_BYTES = 2048;
const MAX_DATA_BYTES = MAX_MESSAGE_BYTES - ENVELOPE_BYTES;
const MAX_OWN_BYTES = MAX_DATA_BYTES - MAX_SHARED_BYTES;
/** Bytes of `before` and of `after`; leaves room for the rest of an entry. */
const MAX_AUDIT_BYTES = 98_304;
const MAX_REASON_CHARS = 8192;

const fits = (text: string, maxBytes: number): boolean =>
  text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The messages of one transaction, each within the byte limit of the bus and its consumers. */
export class OutgoingMessages {
  private readonly messages: OutgoingMessage[] = [];

  constructor(private readonly companyId: number) {}

  get all(): readonly OutgoingMessage[] {
    return this.messages;
  }

  get streams(): OutboxStream[] {
    const audits = this.messages.filter(({ subject }) => subject.startsWith('audit.')).length;
    return [
      ...(audits < this.messages.length ? (['EVENTS'] as const) : []),
      ...(audits > 0 ? (['AUDIT'] as const) : []),
    ];
  }

  events(emissions: readonly Emission[]): void {
    for (const emission of emissions) {
      const { id, text } = this.eventText(emission);
      this.messages.push({ id, subject: eventSubject(this.companyId, emission.event), payload: text });
    }
  }

  /** Adjacent events of one kind share a message, within its limits, and in it their common fields. */
  eventsTogether(emissions: readonly Emission[]): void {
    for (let first = 0; first < emissions.length;) {
      const event = emissions[first]?.event;
      const others = emissions.findIndex((each, at) => at > first && each.event !== event);
      const end = Math.min(others < 0 ? emissions.length : others, first + MAX_EVENTS);
      const group = emissions.slice(first, end);
      if (group.length === 1) this.events(group);
      else this.eventsSharing(group);
      first = end;
    }
  }

  private eventsSharing(emissions: readonly Emission[]): void {
    const [first] = emissions;
    if (!first) return;
    const { event, resource } = first;
    const data = sharedFields(emissions.map((each) => each.data as Record<string, unknown>));
    const envelope = { event, company_id: this.companyId, occurred_at: Date.now(), resource: { type: resource.type } };
    const head = `{"shared":${JSON.stringify({ ...envelope, data })},"events":[`;
    let together: { id: string; text: string }[] = [];
    let bytes = 0;
    const close = (): void => {
      const payload = `${head}${together.map(({ text }) => text).join(',')}]}`;
      this.messages.push({ id: together[0]?.id ?? '', subject: eventSubject(this.companyId, event), payload });
      together = [];
      bytes = 0;
    };
    for (const emission of emissions) {
      const next = ownText(emission, data);
      const size = Buffer.byteLength(next.text) + 1;
      if (together.length > 0 && bytes + size > MAX_OWN_BYTES) close();
      together.push(next);
      bytes += size;
    }
    close();
  }

  audit(note: AuditNote, { companyId, keyId, requestId }: Actor): void {
    const entry = {
      ...note,
      company_id: companyId,
      actor_key_id: keyId,
      request_id: requestId,
      date_created: Date.now(),
    };
    const text = JSON.stringify(entry);
    const payload = fits(text, MAX_FIELD_BYTES) ? text : JSON.stringify(boundedEntry(entry));
    this.messages.push({ id: randomUUID(), subject: `audit.${companyId}`, payload });
  }

  private eventText({ event, resource, data }: Emission): { id: string; text: string } {
    const id = randomUUID();
    const envelope = { event_id: id, event, company_id: this.companyId, occurred_at: Date.now(), resource, data };
    const text = JSON.stringify(envelope);
    if (fits(text, MAX_FIELD_BYTES)) return { id, text };
    return { id, text: JSON.stringify({ ...envelope, data: boundedRecord(data, MAX_DATA_BYTES) }) };
  }
}

function ownText({ resource, data }: Emission, shared: Record<string, unknown>): { id: string; text: string } {
  const id = randomUUID();
  const own = { event_id: id, resource: { id: resource.id }, data: ownFields(data as Record<string, unknown>, shared) };
  const text = JSON.stringify(own);
  if (fits(text, MAX_FIELD_BYTES)) return { id, text };
  return { id, text: JSON.stringify({ ...own, data: boundedRecord(own.data, MAX_OWN_BYTES - ENVELOPE_BYTES) }) };
}

function boundedEntry<E extends AuditNote>(entry: E): E {
  const bounded = (value: unknown): unknown => (isObject(value) ? boundedRecord(value, MAX_AUDIT_BYTES) : value);
  const { before, after, reason } = entry;
  return {
    ...entry,
    ...(before === undefined ? {} : { before: bounded(before) }),
    ...(after === undefined ? {} : { after: bounded(after) }),
    ...(reason === undefined ? {} : { reason: reason.slice(0, MAX_REASON_CHARS) }),
  };
}
