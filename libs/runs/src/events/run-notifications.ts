import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { BusConnection } from '@signalbox/bus';
import type { StreamEvent } from '@signalbox/contracts';
import type { CommittedEvents } from '../run-kind.js';
import { Listeners } from './listeners.js';

/** The type is within the first bytes of its message, see `publishOne`; the rest is not parsed. */
const HEAD_BYTES = 120;
const TYPE = /"type":"([^"]+)"/;

/** Publishes committed events of runs to every process of the service, and calls listeners when runs end or wait. */
@Injectable()
export class RunNotifications implements OnApplicationShutdown {
  private readonly endTypes = new Set<string>();
  private readonly waitTypes = new Set<string>();
  private readonly ended = new Listeners();
  private readonly waiting = new Listeners();
  private readonly any = new Listeners();
  private readonly prefix: string;
  private readonly unlisten: () => void;

  constructor(private readonly bus: BusConnection) {
    this.prefix = `live.${bus.name}.`;
    this.unlisten = bus.listen(`${this.prefix}*`, (payload, subject) => {
      const head = Buffer.from(payload.subarray(0, HEAD_BYTES)).toString('utf8');
      this.received(subject.slice(this.prefix.length), TYPE.exec(head)?.[1] ?? '');
    });
  }

  /** Registers the types of the events with which runs of a kind end and wait. */
  recognise({ end, wait }: { end: readonly string[]; wait: readonly string[] }): void {
    for (const type of end) this.endTypes.add(type);
    for (const type of wait) this.waitTypes.add(type);
  }

  /** Core NATS subject of the events of a run. */
  subjectOf(runId: string): string {
    return `${this.prefix}${runId}`;
  }

  /** True for a type of event that ends its stream. */
  isEnd(type: string): boolean {
    return this.endTypes.has(type);
  }

  /** Publishes committed events; listeners of this process are called even while the bus is unreachable. */
  publish(committed: readonly CommittedEvents[]): void {
    for (const { id, events } of committed) for (const event of events) this.publishOne(id, event);
  }

  private publishOne(runId: string, { seq, type, data }: StreamEvent): void {
    this.received(runId, type);
    this.bus.announce(this.subjectOf(runId), JSON.stringify({ seq, type, data }));
  }

  /** Calls back once the run has ended; returns the function that removes the listener. */
  onEnd(runId: string, callback: () => void): () => void {
    return this.ended.add(runId, callback);
  }

  /** Calls back when the run begins to wait for a callback; returns the function that removes the listener. */
  onWait(runId: string, callback: () => void): () => void {
    return this.waiting.add(runId, callback);
  }

  /** Calls back on every event of the run; returns the function that removes the listener. */
  onEvent(runId: string, callback: () => void): () => void {
    return this.any.add(runId, callback);
  }

  private received(runId: string, type: string): void {
    this.any.call(runId);
    if (this.endTypes.has(type)) this.ended.call(runId);
    else if (this.waitTypes.has(type)) this.waiting.call(runId);
  }

  onApplicationShutdown(): void {
    this.unlisten();
  }
}
