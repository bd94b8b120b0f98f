import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '@signalbox/contracts';
import { LOGGER, type Logger } from '@signalbox/platform';
import { type Attempt, cutText, retriedCall, storable, stripUnstorable } from '@signalbox/runs';
import type { ScriptResult } from '@signalbox/scripts';
import { SessionReads, SessionTransforms } from '../sessions/index.js';
import type { RunBody, RunningRun } from '../runs/index.js';

/** A transform has no effects, so a lost execution can be repeated. */
const MAX_EXECUTIONS = 3;
const MAX_MESSAGE = 4000;

export interface RunTransform {
  transformed_session: unknown;
  transform_error: string | null;
}

const NONE: RunTransform = { transformed_session: null, transform_error: null };

/**
 * Transforms the sessions of completed runs. A transform that fails leaves the run COMPLETED, with `transform_error`
 * set, because the output of the run is not in question.
 */
@Injectable()
export class RunTransforms {
  constructor(
    private readonly reads: SessionReads,
    private readonly transforms: SessionTransforms,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Does nothing without a transform or for a nested run. Retries while the service with the session is unreachable.
   * `recorded` are the requests of the run, the newest first.
   */
  async ofRun(
    run: RunningRun & { body: RunBody },
    attempt: Attempt<RunningRun>,
    recorded: readonly string[],
  ): Promise<RunTransform> {
    const { snapshot } = run.body;
    const hasTransform = snapshot.transform_session !== null || snapshot.script_has_transform;
    if (!hasTransform || run.parent_run_id !== null) return NONE;
    const { secrets, signal } = attempt;
    try {
      const result = await this.execute(run, attempt, recorded);
      if (result?.status === 'completed')
        return { ...NONE, transformed_session: stripUnstorable(result.output, secrets) };
      return this.failed(run, result?.message ?? 'the workflow has no transform_session', attempt);
    } catch (error) {
      signal.throwIfAborted();
      const message = error instanceof ApiError ? error.message : 'internal server error';
      return this.failed(run, message, attempt, error);
    }
  }

  private async execute(
    run: RunningRun & { body: RunBody },
    { job: { companyId }, signal }: Attempt<RunningRun>,
    recorded: readonly string[],
  ): Promise<ScriptResult | null> {
    const { snapshot, messages, metadata } = run.body;
    const known = { session_id: run.session_id, application: run.application_name ?? null, metadata };
    const session = await retriedCall(companyId, signal, (caller) => this.reads.ofRuns(known, recorded, caller));
    const given = session.messages.length > 0 ? session : { ...session, messages: messages ?? [] };
    const call = { companyId, snapshot, session: given, depth: run.depth, signal };
    for (let execution = 1; ;) {
      const result = await retriedCall(companyId, signal, () => this.transforms.execute(call));
      signal.throwIfAborted();
      if (result?.status !== 'lost') return result;
      if (result.is_outage !== true && execution++ === MAX_EXECUTIONS) return result;
    }
  }

  private failed(
    { id: run_id }: RunningRun,
    message: string,
    { secrets }: Attempt<RunningRun>,
    error?: unknown,
  ): RunTransform {
    const transform_error = cutText(storable(secrets ? secrets.scrubCut(message) : message), MAX_MESSAGE);
    this.logger.warn({ run_id, transform_error, ...(error ? { err: error } : {}) }, 'the session was not transformed');
    return { ...NONE, transform_error };
  }
}
