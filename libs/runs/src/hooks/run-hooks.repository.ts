import { notFound } from '@signalbox/contracts';
import type { Database, Tx } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import type { RunEvent } from '../run-event.js';
import { type HeldRun, RunEndedError, type RunKind } from '../run-kind.js';
import { resumeAncestors, suspendAncestors } from '../writes/run-ancestors.js';
import { NOW } from '../writes/run-transitions.js';
import type { RunChange, RunWrites } from '../writes/run-writes.repository.js';
import { hashOfKey, sealPayload } from './hook-key.js';
import type { HookStatements } from './run-hooks.sql.js';

export interface FoundHook {
  company_id: number;
  run_id: string;
  hook_hash: string;
  work_kind: string;
}

export interface HookAnswer {
  hook_hash: string;
  payload: string;
  sealed: boolean;
}

/** Pause in ms before the expiry of a hook is checked again whose run has not begun to wait for it. */
const CALLING_MS = 5000;

function gone(): never {
  throw notFound('hook');
}

/**
 * Hooks on which runs wait: each is stored before its URL is sent, is answered once and expires by a timer.
 * SQL: an answer and its wake-up are one fenced statement.
 */
export class RunHooks<Run extends HeldRun, Trigger extends string, RunRecord extends object> {
  private readonly statements: HookStatements;

  constructor(
    private readonly db: Database,
    private readonly writes: RunWrites<Run, Trigger, RunRecord>,
    private readonly kind: RunKind<Run, Trigger, RunRecord>,
    /** Kind of the jobs that expire hooks, with `<run id>/<step>` as their reference. */
    private readonly work: string,
  ) {
    if (!kind.statements.hooks) throw new Error(`a ${kind.noun} has no table of hooks`);
    this.statements = kind.statements.hooks;
  }

  /** Returns the answer of an earlier hook of the step, if there is one. */
  async open(job: Job, step: number, hash: string, ttlMs: number): Promise<HookAnswer | null> {
    let answer: HookAnswer | null = null;
    await this.writes.fenced(job, job.ref, async (tx, run) => {
      answer = await this.answerOf(tx, run.id, step);
      if (answer) return [];
      await tx.query(this.statements.open, [tx.companyId, hash, run.id, step, job.kind, ttlMs]);
      tx.addWork(this.work, `${run.id}/${step}`, ttlMs);
      return [];
    });
    return answer;
  }

  /** For a step that does not wait: its hooks are deleted, unless one has been answered; returns that answer. */
  async close(job: Job, step: number): Promise<HookAnswer | null> {
    let answer: HookAnswer | null = null;
    await this.writes.fenced(job, job.ref, async (tx, run) => {
      answer = await this.answerOf(tx, run.id, step);
      if (!answer) await this.drop(tx, run.id, step);
      return [];
    });
    return answer;
  }

  /** Moves the run and its ancestors to waiting; returns the answer instead when the callback has already arrived. */
  async wait(job: Job, step: number, about: Record<string, unknown>): Promise<HookAnswer | null> {
    let answer: HookAnswer | null = null;
    const begin: RunChange<Run> = async (tx, run, above, committed) => {
      answer = await this.answerOf(tx, run.id, step);
      // It waits already when only the reply to an earlier commit was lost.
      if (answer || run.status === 'WAITING_WEBHOOK') return [];
      const [hook] = await tx.query<{ expires_at: number | null }>(this.statements.expiry, [
        tx.companyId,
        run.id,
        step,
      ]);
      const until = { hook_expires_at: hook?.expires_at ?? undefined };
      await this.writes.move(tx, run, 'wait' as Trigger, { hook_expires_at: hook?.expires_at ?? null });
      committed.push(...(await suspendAncestors(tx, this.kind, above, run.id, until)));
      const note = this.kind.eventTemplates.waiting?.(until, about);
      return note ? [note] : [];
    };
    await this.writes.withAncestors(job.companyId, job.ref, begin, { job });
    return answer;
  }

  async find(job: Job, step: number): Promise<HookAnswer | null> {
    const [answer] = await this.db.select<HookAnswer>(job.companyId, this.statements.find, [job.ref, step]);
    return answer ?? null;
  }

  async get(key: string): Promise<FoundHook> {
    const hash = hashOfKey(key);
    const [found] = hash ? await this.db.asWorker<FoundHook>(this.statements.get, [hash]) : [];
    return found ?? gone();
  }

  /** 404 when the run of the hook has ended. */
  async requireOpen({ company_id, run_id }: FoundHook): Promise<void> {
    const open = await this.db.select(company_id, this.statements.openRun, [run_id]);
    if (open.length === 0) gone();
  }

  /** Once per step; 404 when the hook has expired or its run has ended. */
  async answer({ company_id, run_id, hook_hash }: FoundHook, key: string, payload: string): Promise<void> {
    try {
      await this.writes.withAncestors(company_id, run_id, async (tx, run, above) => {
        const text = run.has_secrets ? sealPayload(key, payload) : payload;
        const values = [tx.companyId, hook_hash, text, run.has_secrets];
        const [hook] = await tx.query<{ work_kind: string }>(this.statements.answer, values);
        if (!hook) gone();
        // The worker is still in the call that opened the hook and reads the answer afterwards.
        if (run.status === 'RUNNING') return [];
        await this.writes.move(tx, run, 'resume' as Trigger, { hook_expires_at: null, active_since: NOW });
        await resumeAncestors(tx, this.kind, above);
        tx.addWork(hook.work_kind, run.id);
        return [];
      });
    } catch (error) {
      if (error instanceof RunEndedError) gone();
      throw error;
    }
  }

  /** Ends a run that waits on an expired hook; for a hook that cannot expire yet, returns the ms until the next check. */
  async expire(job: Job, end: (tx: Tx, run: Run) => Promise<RunEvent[]>): Promise<number | null> {
    const [runId = '', step = ''] = job.ref.split('/');
    let leftMs: number | null = null;
    const change: RunChange<Run> = async (tx, run, above) => {
      const hook = [tx.companyId, runId, Number(step)];
      const [left] = await tx.query<{ answered: boolean; ms: number }>(this.statements.left, hook);
      const ended = this.kind.states.isTerminal(run.status);
      if (left?.answered && !ended) return [];
      if (left && left.ms > 0 && !ended) leftMs = left.ms;
      // The worker is still in the call that opened the hook and waits for the callback afterwards.
      else if (left && run.status === 'RUNNING') leftMs = CALLING_MS;
      if (leftMs !== null) return [];
      const dropped = await this.drop(tx, runId, Number(step));
      if (!dropped || run.status !== 'WAITING_WEBHOOK') return [];
      await resumeAncestors(tx, this.kind, above);
      return end(tx, run);
    };
    await this.writes.withAncestors(job.companyId, runId, change, { job, evenEnded: true });
    return leftMs;
  }

  async endWait(job: Job, end: (tx: Tx, run: Run) => Promise<RunEvent[]>): Promise<void> {
    const change: RunChange<Run> = async (tx, run, above) => {
      await resumeAncestors(tx, this.kind, above);
      return end(tx, run);
    };
    await this.writes.withAncestors(job.companyId, job.ref, change, { job });
  }

  async drop(tx: Tx, runId: string, step: number): Promise<boolean> {
    const dropped = await tx.query(this.statements.drop, [tx.companyId, runId, step]);
    return dropped.length > 0;
  }

  private async answerOf(tx: Tx, runId: string, step: number): Promise<HookAnswer | null> {
    const [answer] = await tx.query<HookAnswer>(this.statements.answerOf, [tx.companyId, runId, step]);
    return answer ?? null;
  }
}
