import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { OUTBOX, type OutboxStore, WORK, type WorkStore } from '@signalbox/platform';
import { BusConnection } from '../connection.js';

/**
 * A process that does not relay announces new outbox rows of its schema here; kinds of work have subjects of the same
 * form.
 */
export const outboxSubject = (service: string): string => `work.${service}.outbox`;

/**
 * For a process that leaves relaying and work to another process of its service: announces what its commits have added.
 */
@Injectable()
export class RelayWakeup implements OnApplicationBootstrap {
  constructor(
    private readonly connection: BusConnection,
    @Inject(OUTBOX) private readonly outbox: OutboxStore,
    @Inject(WORK) private readonly work: WorkStore,
  ) {}

  onApplicationBootstrap(): void {
    const { name } = this.connection;
    this.outbox.onAdded((streams) => this.connection.announce(outboxSubject(name), streams.join(',')));
    this.work.onAdded((kind) => this.connection.announce(`work.${name}.${kind}`, ''));
  }
}
