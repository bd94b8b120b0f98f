import { randomUUID } from 'node:crypto';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { BusClient, BusConnection, WorkLoop } from '@signalbox/bus';
import { type Caller, chat } from '@signalbox/contracts';
import { FenceLost } from '@signalbox/database';
import { type Job, LOGGER, type Logger, WORK, type WorkStore } from '@signalbox/platform';
import { LAST_HAPPENINGS, summaryCall, summaryOf } from './session-summary.js';
import { Sessions, SUMMARY_WORK, type TimelinePage } from './sessions.repository.js';

const AT_ONCE = 2;
const CALL_MS = 60_000;
const LEASE_MS = 90_000;

/** Sums up sessions that have rested, where their application wants it. */
@Injectable()
export class SessionSummaries implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loop: WorkLoop;

  constructor(
    private readonly sessions: Sessions,
    private readonly bus: BusClient,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(WORK) store: WorkStore,
    connection: BusConnection,
  ) {
    const exhausted = ({ companyId, ref }: Job, error: unknown): Promise<void> => {
      this.logger.warn({ error, company_id: companyId, session_id: ref }, 'a session could not be summed up');
      return Promise.resolve();
    };
    const run = (job: Job): Promise<void> => this.sumUp(job);
    this.loop = new WorkLoop(store, connection, logger, {
      kind: SUMMARY_WORK,
      concurrency: AT_ONCE,
      leaseMs: LEASE_MS,
      run,
      exhausted,
    });
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  private async sumUp(job: Job): Promise<void> {
    const { companyId, ref: sessionId } = job;
    if (!(await this.sessions.wantsSummary(companyId, sessionId))) return;
    const messages = summaryCall(await this.happenings(companyId, sessionId));
    if (!messages) return;
    // Chosen: the call belongs to no application and no session, for neither its users nor its counts know of it.
    const { message } = await this.bus.call(
      chat.endpoints.complete,
      { messages, request_type: 'SYNTHETIC', metadata: { purpose: 'session_summary', session_id: sessionId } },
      ownCaller(companyId),
    );
    const summary = summaryOf(message);
    if (summary === null) return;
    // A request that came meanwhile has made the work due anew: its summary will be the better one.
    await this.sessions.summarise(job, summary).catch((error: unknown) => {
      if (!(error instanceof FenceLost)) throw error;
    });
  }

  private async happenings(companyId: number, sessionId: string): Promise<TimelinePage['data']> {
    const page = async (offset: number): Promise<TimelinePage> => {
      const text = await this.sessions.timeline(companyId, sessionId, { offset, limit: LAST_HAPPENINGS });
      return JSON.parse(text ?? '{"data":[],"pagination":{"total":0}}') as TimelinePage;
    };
    const { data, pagination } = await page(0);
    return pagination.total > LAST_HAPPENINGS ? (await page(pagination.total - LAST_HAPPENINGS)).data : data;
  }
}

const ownCaller = (companyId: number): Caller => ({
  companyId,
  keyId: null,
  scopes: [],
  requestId: randomUUID(),
  deadline: Date.now() + CALL_MS,
});
