import { Injectable } from '@nestjs/common';
import {
  type AgentSession,
  type Caller,
  type Deleted,
  type SessionFeedback,
  type JsonText,
  notFound,
  type Page,
} from '@signalbox/contracts';
import {
  Database,
  type FeedbackColumns,
  feedbackOf,
  type GivenFeedback,
  type ListOptions,
  type Tx,
  writeFeedback,
  filtersOf,
} from '@signalbox/database';
import { agentJobs } from '../jobs.js';
import { DELETE_SESSION, FIND_SESSION, LOCK_SESSION, sessionView } from './sessions.sql.js';

interface SessionRow extends FeedbackColumns {
  id: number;
  state: Record<string, unknown>;
}

interface FeedbackInput {
  feedback_score?: number | null;
  feedback_text?: string | null;
}

/** SQL: row locks and single columns within the transaction of a task. */
@Injectable()
export class AgentSessions {
  constructor(private readonly db: Database) {}

  list(companyId: number, agentId: number, options: ListOptions): Promise<JsonText<Page<AgentSession>>> {
    const filters = filtersOf(sessionView, { agent_id: agentId });
    return this.db.list<AgentSession>(sessionView, companyId, { ...options, filters });
  }

  async find(companyId: number, agentId: number, sessionId: string): Promise<SessionRow> {
    const [row] = await this.db.select<SessionRow>(companyId, FIND_SESSION, [agentId, sessionId]);
    if (!row) throw notFound('session');
    return row;
  }

  async get(companyId: number, agentId: number, sessionId: string): Promise<JsonText<AgentSession>> {
    const { id } = await this.find(companyId, agentId, sessionId);
    const session = await this.db.readOne<AgentSession>(sessionView, companyId, id);
    if (!session) throw notFound('session');
    return session;
  }

  /** Also erases its state and the messages of its tasks; a new session may use the id. */
  remove(caller: Caller, agentId: number, sessionId: string): Promise<Deleted> {
    return this.db.withCompany(caller, async (tx) => {
      const { id } = await lock(tx, agentId, sessionId);
      await tx.query(DELETE_SESSION, [tx.companyId, id, Date.now()]);
      tx.addJob(agentJobs.eraseSession, { sessionNo: id });
      tx.audit({ action: 'delete', resource_type: 'session', resource_id: sessionId });
      return { id: sessionId, deleted: true };
    });
  }

  async feedback(companyId: number, agentId: number, sessionId: string): Promise<SessionFeedback> {
    return feedbackOf(await this.find(companyId, agentId, sessionId)) ?? noFeedback();
  }

  async setFeedback(
    caller: Caller,
    agentId: number,
    sessionId: string,
    given: FeedbackInput,
  ): Promise<SessionFeedback> {
    const { feedback_score: score = null, feedback_text: text = null } = given;
    return (await this.writeFeedback(caller, agentId, sessionId, { score, text })) ?? noFeedback();
  }

  async removeFeedback(caller: Caller, agentId: number, sessionId: string): Promise<Deleted> {
    await this.writeFeedback(caller, agentId, sessionId, null);
    return { id: sessionId, deleted: true };
  }

  private writeFeedback(caller: Caller, agentId: number, sessionId: string, given: GivenFeedback | null) {
    return this.db.withCompany(caller, async (tx) =>
      writeFeedback(tx, 'agents.sessions', await lock(tx, agentId, sessionId), given),
    );
  }
}

async function lock(tx: Tx, agentId: number, sessionId: string): Promise<SessionRow> {
  const [row] = await tx.query<SessionRow>(LOCK_SESSION, [tx.companyId, agentId, sessionId]);
  if (!row) throw notFound('session');
  return row;
}

function noFeedback(): never {
  throw notFound('feedback');
}
