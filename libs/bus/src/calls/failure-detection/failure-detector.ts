import type { Endpoint } from '@signalbox/contracts';
import type { BusConnection } from '../../connection.js';
import { isResumable } from '../../resume/resume.js';
import type { ReplyInbox } from '../client/reply-inbox.js';
import { FAST_SILENCE_MS, RECEIPT_SILENCE_MS, SILENCE_MS } from '../wire.js';
import { AbsentServices } from './absent-services.js';
import { type InactivityLimits, InactivityTimeout } from './inactivity-timeout.js';
import { type LiveProcess, ProcessDiscovery } from './process-discovery.js';
import { ProcessWatches } from './process-watches.js';

/** A call that is sent again, or that has to be confirmed soon, is lost sooner before it is confirmed. */
const SOON: InactivityLimits = { firstMs: FAST_SILENCE_MS, laterMs: SILENCE_MS };
const SLOW: InactivityLimits = { firstMs: RECEIPT_SILENCE_MS, laterMs: SILENCE_MS };

const limitsOf = (endpoint: Endpoint): InactivityLimits => (endpoint.slow && !isResumable(endpoint) ? SLOW : SOON);

/**
 * Which processes of the services that this one calls are alive, from three signs: the bus reports that a process has no
 * connection, a call is silent for too long, or a process does not reply to a discovery ping. The states of a process and
 * of a queue are drawn in docs/architecture/failure-detection.md.
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

  /** Waits a moment when a service without a connected process may be back soon; false when it is down. */
  mayReturn(service: string, deadline: number): Promise<boolean> {
    return this.absent.mayReturn(service, deadline);
  }

  /** Notes that a process of the service has replied. */
  served(service: string): void {
    this.absent.served(service);
  }

  /**
   * The id of the process that the next call is addressed to; undefined when it goes to the queue of its service, as it
   * does unless that has lost a call lately.
   */
  processFor(endpoint: Endpoint): string | undefined | Promise<string | undefined> {
    return this.discovery.processFor(endpoint);
  }

  /** The process that reports first that it runs; undefined when none does, and the service is down. */
  findProcess(endpoint: Endpoint): Promise<LiveProcess | undefined> {
    return this.discovery.find(endpoint);
  }

  /** Records that a call to the service of the endpoint was lost. */
  reportLost(endpoint: Endpoint): void {
    this.discovery.reportLost(endpoint);
  }

  /**
   * Calls `lost`, with whether a process has confirmed the call, when the call is silent for too long or its process has
   * ended. A repeatable call is lost sooner: sending it again costs nothing but a message.
   */
  inactivityTimeout(endpoint: Endpoint, lost: (isConfirmed: boolean) => void, isRepeatable = false): InactivityTimeout {
    return new InactivityTimeout(limitsOf(endpoint), this.watches.of(endpoint.service), lost, isRepeatable);
  }
}
