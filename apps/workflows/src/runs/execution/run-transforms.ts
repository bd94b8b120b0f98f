import { Inject, Injectable } from '@nestjs/common';
import { serviceCaller } from '@signalbox/bus';
import { LOGGER, type Logger } from '@signalbox/platform';
import { type Attempt, stripUnstorable } from '@signalbox/runs';
import { SessionReads } from '../../sessions/session-reads.js';
import { SessionTransforms } from '../../sessions/session-transforms.js';
import type { RunBody, RunningRun } from '../running-run.js';

const READ_MS = 10_000;

/**
 * The transformed sessions of completed runs. Chosen: a transform that fails leaves the run COMPLETED with
 * `transformed_session` null, because the output of the run is not in question.
 */
@Injectable()
export class RunTransforms {
  constructor(
    private readonly reads: SessionReads,
    private readonly transforms: SessionTransforms,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** What the transform returned; null without a transform, for a nested run, and when it failed. */
  async ofRun(
    run: RunningRun & { body: RunBody },
    { job, secrets, signal }: Pick<Attempt<RunningRun>, 'job' | 'secrets' | 'signal'>,
  ): Promise<unknown> {
    const { snapshot, messages, metadata } = run.body;
    const hasTransform = snapshot.transform_session !== null || snapshot.script_has_transform;
    if (!hasTransform || run.parent_run_id !== null) return null;
    const { companyId } = job;
    const known = { session_id: run.session_id, application: run.application_name ?? null, metadata };
    const session = await this.reads.ofRuns(known, serviceCaller(companyId, Date.now() + READ_MS));
    const given = session.messages.length > 0 ? session : { ...session, messages: messages ?? [] };
    const result = await this.transforms.execute({ companyId, snapshot, session: given, signal });
    if (result?.status === 'completed') return stripUnstorable(result.output, secrets);
    this.logger.info({ run_id: run.id, status: result?.status }, 'the session of a run could not be transformed');
    return null;
  }
}
