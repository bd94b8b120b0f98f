import { Injectable } from '@nestjs/common';
import { ApiError, type Caller, emission, trafficEvents } from '@signalbox/contracts';
import { Database, type Tx } from '@signalbox/database';
import { Activity } from '../activity/activity.repository.js';
import { LargeParts } from '../large-parts/large-parts.js';
import { countsOf } from '../sessions/session-counts.js';
import { Sessions } from '../sessions/sessions.repository.js';
import { type KeptRecord, keptOf, type RequestRecord } from './request-record.js';

const COLUMNS = {
  request_id: 'uuid',
  application_id: 'int',
  intent_id: 'int',
  intent_group_id: 'int',
  agent_id: 'int',
  session_id: 'text',
  reference_id: 'text',
  request_type: 'text',
  inference_location: 'text',
  model: 'text',
  provider: 'text',
  params: 'jsonb',
  response: 'jsonb',
  status: 'text',
  failure_class: 'text',
  error_message: 'text',
  fallback_used: 'boolean',
  fallback_reason: 'text',
  primary_model: 'text',
  prompt_tokens: 'bigint',
  completion_tokens: 'bigint',
  total_tokens: 'bigint',
  cost: 'double precision',
  first_token_time_ms: 'int',
  response_time_ms: 'int',
  metadata: 'jsonb',
  date_created: 'bigint',
} as const satisfies Partial<Record<keyof RequestRecord, string>>;
const NAMES = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];
/** What lines of the spool did not say before there was such a column. */
const BEFORE: Partial<Record<keyof RequestRecord, string>> = { inference_location: `'SERVER'`, fallback_used: 'false' };

/** JSON columns are texts within the record. */
const READ = NAMES.map((name) => `${name} ${COLUMNS[name] === 'jsonb' ? 'text' : COLUMNS[name]}`);
const TAKEN = NAMES.map((name) => {
  if (COLUMNS[name] === 'jsonb') return `u.${name}::jsonb`;
  return BEFORE[name] ? `COALESCE(u.${name}, ${BEFORE[name]})` : `u.${name}`;
});
// The lines of the spool go to Postgres as they are: a list of values per column would be made, escaped and read again.
const INSERT = `INSERT INTO traffic.requests (company_id, ${NAMES.join(', ')})
  SELECT $1::int, ${TAKEN.join(', ')} FROM json_to_recordset($2::json) u(${READ.join(', ')})
  ON CONFLICT DO NOTHING RETURNING request_id`;

// In the order of the locks, so that two batches with ids in common do not wait for each other in a circle.
const TAKE_TURNS = `SELECT pg_advisory_xact_lock(k) FROM
  (SELECT DISTINCT hashtextextended(t, 0) AS k FROM unnest($1::text[]) t ORDER BY 1) turns`;

const AT_ONCE = 4;
const DAYS_AHEAD = 7;

/** Rows of recorded model calls. */
@Injectable()
export class Requests {
  constructor(
    private readonly db: Database,
    private readonly sessions: Sessions,
    private readonly activity: Activity,
    private readonly parts: LargeParts,
  ) {}

  /** Inserts records of any companies; those that are there already are left alone and tell nothing again. */
  async insert(records: readonly KeptRecord[]): Promise<void> {
    const groups = byCompany(records);
    for (let at = 0; at < groups.length; at += AT_ONCE) {
      const some = groups.slice(at, at + AT_ONCE);
      await Promise.all(some.map(([companyId, own]) => this.insertOf(companyId, own)));
    }
  }

  /** Makes the partitions of the coming days; until they are there, rows land in the default partition. */
  async makePartitions(): Promise<void> {
    await this.db.asWorker('SELECT traffic.make_request_partitions($1)', [DAYS_AHEAD]);
  }

  /** A record that Postgres refuses must not stop those behind it: it is kept without its content. */
  private async insertOf(companyId: number, records: readonly KeptRecord[]): Promise<void> {
    try {
      await this.db.withCompany({ companyId }, (tx) => this.insertIn(tx, records));
    } catch (error) {
      if (!isRefused(error)) throw error;
      const [first, ...others] = records;
      if (first && others.length === 0) return this.insertBare(companyId, first.record);
      const middle = Math.ceil(records.length / 2);
      await this.insertOf(companyId, records.slice(0, middle));
      await this.insertOf(companyId, records.slice(middle));
    }
  }

  private async insertBare(companyId: number, record: RequestRecord): Promise<void> {
    const bare = {
      ...record,
      params: '{}',
      response: null,
      metadata: '{}',
      error_message: 'its content cannot be stored',
    };
    await this.db.withCompany({ companyId }, (tx) => this.insertIn(tx, [keptOf(bare)]));
  }

  private async insertIn(tx: Tx, records: readonly KeptRecord[]): Promise<void> {
    const list = `[${records.map(({ text }) => text).join(',')}]`;
    const rows = await tx.query<{ request_id: string }>(INSERT, [tx.companyId, list]);
    const inserted = new Set(rows.map(({ request_id }) => request_id));
    const fresh = records.map(({ record }) => record).filter(({ request_id }) => inserted.delete(request_id));
    tx.emitTogether(fresh.filter(isCompleted).map(endedOf));
    tx.emitTogether(fresh.filter((record) => !isCompleted(record)).map(endedOf));
    tx.emitTogether(fresh.filter(({ fallback_used }) => fallback_used).map(fallbackOf));
    await this.sessions.count(tx, countsOf(fresh));
    await this.activity.count(tx, fresh);
    for (const { request_id, params, response } of fresh) this.parts.plan(tx, request_id, [params, response]);
  }

  /** Inserts the records of which the company has none of that `request_id`, whenever that was; answers which. */
  insertOnce(caller: Caller, records: readonly RequestRecord[]): Promise<boolean[]> {
    return this.db.withCompany(caller, async (tx) => {
      const ids = records.map(({ request_id }) => request_id);
      // The key of a table in partitions holds the date, so two calls at once have to take turns.
      await tx.query(TAKE_TURNS, [ids.map((id) => `request ${tx.companyId} ${id}`)]);
      const known = await tx.query<{ request_id: string }>(
        'SELECT request_id FROM traffic.requests WHERE company_id = $1 AND request_id = ANY($2::uuid[])',
        [tx.companyId, ids],
      );
      const seen = new Set(known.map(({ request_id }) => request_id));
      const fresh = ids.map((id) => !seen.has(id) && Boolean(seen.add(id)));
      const news = records.filter((_, at) => fresh[at]);
      if (news.length > 0) await this.insertIn(tx, news.map(keptOf));
      return fresh;
    });
  }
}

const isCompleted = ({ status }: RequestRecord): boolean => status === 'COMPLETED';

const toldOf = ({ request_id, model, status, failure_class, date_created }: RequestRecord) => ({
  request_id,
  model,
  status,
  failure_class,
  date_created,
});

const endedOf = (record: RequestRecord) =>
  emission(
    trafficEvents,
    isCompleted(record) ? 'request.completed' : 'request.failed',
    record.request_id,
    toldOf(record),
  );

const fallbackOf = (record: RequestRecord) => {
  const { primary_model, fallback_reason } = record;
  const data = { ...toldOf(record), primary_model, fallback_reason };
  return emission(trafficEvents, 'request.fallback_used', record.request_id, data);
};

/** True when Postgres will never take these values, however often it is asked. */
const isRefused = (error: unknown): boolean =>
  error instanceof ApiError && (error.kind === 'invalid' || error.kind === 'conflict');

function byCompany(records: readonly KeptRecord[]): [number, KeptRecord[]][] {
  const groups = new Map<number, KeptRecord[]>();
  for (const kept of records) {
    const group = groups.get(kept.record.company_id);
    if (group) group.push(kept);
    else groups.set(kept.record.company_id, [kept]);
  }
  return [...groups];
}
