import type { Endpoint } from '@signalbox/contracts';
import type { BusConnection } from '../../connection.js';
import { isResumable } from '../../resume/resume.js';
import type { ReplyInbox } from '../client/reply-inbox.js';
import { FAST_SILENCE_MS, RECEIPT_SILENCE_MS, SILENCE_MS } from '../wire.js';
import { AbsentServices } from './absent-services.js';
import { type InactivityLimits, InactivityTimeout } from './inactivity-timeout.js';
import { type LiveProcess, ProcessDiscovery } from './process-discovery.js';
import { ProcessWatches } from './process-watches.js';

/** Limits of a repeatable call: it is sent again soon, which is cheap. */
const SOON: InactivityLimits = { firstMs: FAST_SILENCE_MS, laterMs: SILENCE_MS };
const SLOW: InactivityLimits = { firstMs: RECEIPT_SILENCE_MS, laterMs: SILENCE_MS };

const limitsOf = (endpoint: Endpoint): InactivityLimits => (endpoint.slow && !isResumable(endpoint) ? SLOW : SOON);

/**
 * Which processes of the called services are alive. A process is considered lost when the bus reports that it has no
 * connection, when a call is silent for too long, or when it does not reply to a discovery ping.
 * docs/architecture/failure-detection.md has the state diagrams.
 */
export class FailureDetector {
  private readonly discovery: ProcessDiscovery;
  private readonly watches: ProcessWatches;
  private readonly absent: AbsentServices;

  constructor(connection: BusConnection, inbox: ReplyInbox) {
    this.discovery = new ProcessDiscovery(connection, inbox);
    this.watches = new ProcessWatches(connection, inbox);
    this.absent = new AbsentServices(connection);
  }

  mayReturn(service: string, deadline: number): Promise<boolean> {
    return this.absent.mayReturn(service, deadline);
  }

  served(service: string): void {
    this.absent.served(service);
  }

  processFor(endpoint: Endpoint): string | undefined | Promise<string | undefined> {
    return this.discovery.processFor(endpoint);
  }

  findProcess(endpoint: Endpoint): Promise<LiveProcess | undefined> {
    return this.discovery.find(endpoint);
  }

  reportLost(endpoint: Endpoint): void {
    this.discovery.reportLost(endpoint);
  }

  /**
   * Calls `lost`, with whether a process has confirmed the call, when the call is silent for too long or its process
   * has ended. The limit is shorter for repeatable calls, because sending them again is cheap.
   */
  inactivityTimeout(endpoint: Endpoint, lost: (isConfirmed: boolean) => void, isRepeatable = false): InactivityTimeout {
    return new InactivityTimeout(limitsOf(endpoint), this.watches.of(endpoint.service), lost, isRepeatable);
  }
}
