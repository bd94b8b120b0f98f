import { setTimeout as delay } from 'node:timers/promises';
import { slowdown } from '@signalbox/platform';
import type { BusConnection } from '../../connection.js';

/** Time in which processes reconnect to another server. */
const RECONNECT_MS = 6000;
const RETRY_MS = 50;

/**
 * Services without a connected process. Nobody has received a call to one, so it can be sent again whatever it does:
 * calls wait in case the service reconnects. After that time they fail at once until one is served.
 */
export class AbsentServices {
  private readonly since = new Map<string, number>();

  constructor(private readonly connection: BusConnection) {}

  async mayReturn(service: string, deadline: number): Promise<boolean> {
    if (!this.connection.mayPeersReconnect) return false;
    const now = Date.now();
    const since = this.since.get(service) ?? now;
    this.since.set(service, since);
    if (now - since >= slowdown.allow(RECONNECT_MS) || now + RETRY_MS >= deadline) return false;
    await delay(RETRY_MS);
    return true;
  }

  served(service: string): void {
    if (this.since.size > 0) this.since.delete(service);
  }
}
