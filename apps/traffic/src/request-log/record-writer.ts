import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '@signalbox/contracts';
import { LOGGER, type Logger, Quarantine } from '@signalbox/platform';
import { lineOf } from './record-line.js';
import { CONTENT_MISSING, type RequestRecord, RequestWriter } from '../request-records/index.js';
import { quarantineDropped } from './request-log-metrics.js';

const AT_ONCE = 4;
/** How often a single record may fail while others can be stored. */
const TRIES = 3;

/**
 * Writes records of any companies to the log. A batch that fails while the database accepts other rows is split until
 * the failing record is isolated: it is stored without its content, and with it in quarantine. Other records are not
 * delayed.
 */
@Injectable()
export class RecordWriter {
  constructor(
    private readonly requests: RequestWriter,
    private readonly quarantine: Quarantine,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Resolves when every record is in the log or in quarantine; throws while the database is unreachable. */
  async write(records: readonly RequestRecord[]): Promise<void> {
    const groups = byCompany(records);
    for (let at = 0; at < groups.length; at += AT_ONCE) {
      const some = groups.slice(at, at + AT_ONCE);
      await Promise.all(some.map(([companyId, own]) => this.writeOf(companyId, own)));
    }
  }

  async setAside(line: string, company_id: number): Promise<void> {
    const id = await this.quarantine.add({ company_id, request_id: null, reason: 'the line is damaged', line });
    if (id === null) quarantineDropped.inc();
    this.logger.error({ company_id }, `a line of the spool is damaged and was ${outcomeOf(id)}`);
  }

  private async writeOf(companyId: number, records: readonly RequestRecord[], tries = 1): Promise<void> {
    try {
      await this.requests.insertOf(companyId, records);
    } catch (error) {
      const refused = isRefused(error);
      if (!refused && !(await this.requests.takesRows(companyId))) throw error;
      const [first, ...others] = records;
      if (first && others.length === 0) {
        if (!refused && tries < TRIES) return this.writeOf(companyId, records, tries + 1);
        return this.quarantined(first, error);
      }
      const middle = Math.ceil(records.length / 2);
      await this.writeOf(companyId, records.slice(0, middle));
      await this.writeOf(companyId, records.slice(middle));
    }
  }

  private async quarantined(record: RequestRecord, error: unknown): Promise<void> {
    const { company_id, request_id } = record;
    const reason = error instanceof Error ? error.message : String(error);
    const id = await this.quarantine.add({ company_id, request_id, reason, line: lineOf(record) });
    if (id === null) quarantineDropped.inc();
    this.logger.error({ error, company_id, request_id }, `a recorded call cannot be stored and was ${outcomeOf(id)}`);
    const bare = { ...record, params: '{}', response: null, metadata: '{}', error_message: CONTENT_MISSING };
    await this.requests
      .insertOf(company_id, [bare])
      .catch((failure: unknown) =>
        this.logger.warn({ error: failure, request_id }, 'a recorded call cannot be stored even without its content'),
      );
  }
}

const outcomeOf = (id: string | null): string =>
  id === null ? 'dropped, because the quarantine is full' : 'put into quarantine';

/** True when Postgres rejects these values on every attempt. */
const isRefused = (error: unknown): boolean =>
  error instanceof ApiError && (error.kind === 'invalid' || error.kind === 'conflict');

function byCompany(records: readonly RequestRecord[]): [number, RequestRecord[]][] {
  const groups = new Map<number, RequestRecord[]>();
  for (const record of records) {
    const group = groups.get(record.company_id);
    if (group) group.push(record);
    else groups.set(record.company_id, [record]);
  }
  return [...groups];
}
