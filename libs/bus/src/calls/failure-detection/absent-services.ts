import { setTimeout as delay } from 'node:timers/promises';
import { slowdown } from '@signalbox/platform';
import type { BusConnection } from '../../connection.js';

/** How long the processes of a service may take to connect to another server of the bus. */
const RECONNECT_MS = 6000;
const RETRY_MS = 50;

/**
 * Services of which no process is connected. A call to one that may be reconnecting waits: nobody has received it, so it
 * can be sent again whatever it does. After that time the service is down, and calls fail at once until one is served.
 */
export class AbsentServices {
  private readonly since = new Map<string, number>();

  constructor(private readonly connection: BusConnection) {}

  /** Waits a moment for a service without subscribers; false when it is down, or the deadline comes first. */
  async mayReturn(service: string, deadline: number): Promise<boolean> {
    if (!this.connection.mayPeersReconnect) return false;
    const now = Date.now();
    const since = this.since.get(service) ?? now;
    this.since.set(service, since);
    if (now - since >= slowdown.allow(RECONNECT_MS) || now + RETRY_MS >= deadline) return false;
    await delay(RETRY_MS);
    return true;
  }

  /** Notes that a process of the service has replied. */
  served(service: string): void {
    if (this.since.size > 0) this.since.delete(service);
  }
}
