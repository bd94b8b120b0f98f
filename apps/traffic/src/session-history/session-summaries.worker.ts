import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { BusClient, JobHandler, type JobWith } from '@signalbox/bus';
import { type Caller, chat } from '@signalbox/contracts';
import { RecordedSessions, type TimelinePage } from './recorded-sessions.repository.js';
import { LAST_EVENTS, summaryCall, summaryOf } from '../sessions/index.js';
import { trafficJobs } from '../jobs.js';

const CALL_MS = 60_000;
const LEASE_MS = 90_000;

@Injectable()
export class SessionSummaries {
  constructor(
    private readonly sessions: RecordedSessions,
    private readonly bus: BusClient,
  ) {}

  /** A request during the call has made the job due again, so this summary is dropped. */
  @JobHandler(trafficJobs.summariseSession, { leaseMs: LEASE_MS })
  async summarise(job: JobWith<{ sessionId: string }>): Promise<void> {
    const {
      companyId,
      payload: { sessionId },
    } = job;
    if (!(await this.sessions.wantsSummary(companyId, sessionId))) return;
    const messages = summaryCall(await this.sessionEvents(companyId, sessionId));
    if (!messages) return;
    // Without application and session, so that the call changes neither their counts nor their timelines.
    const { message } = await this.bus.call(
      chat.endpoints.complete,
      {
        messages,
        origin: 'EVALUATION',
        request_type: 'SYNTHETIC',
        metadata: { purpose: 'session_summary', session_id: sessionId },
      },
      serviceCaller(companyId),
    );
    const summary = summaryOf(message);
    if (summary === null) return;
    await this.sessions.summarise(job, summary);
  }

  private async sessionEvents(companyId: number, sessionId: string): Promise<TimelinePage['data']> {
    const page = async (offset: number): Promise<TimelinePage> => {
      const text = await this.sessions.timeline(companyId, sessionId, { offset, limit: LAST_EVENTS });
      return JSON.parse(text ?? '{"data":[],"pagination":{"total":0}}') as TimelinePage;
    };
    const { data, pagination } = await page(0);
    return pagination.total > LAST_EVENTS ? (await page(pagination.total - LAST_EVENTS)).data : data;
  }
}

const serviceCaller = (companyId: number): Caller => ({
  companyId,
  keyId: null,
  scopes: [],
  requestId: randomUUID(),
  deadline: Date.now() + CALL_MS,
});
