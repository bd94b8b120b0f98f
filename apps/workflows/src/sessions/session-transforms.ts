import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ApiError, conflict, refused } from '@signalbox/contracts';
import { type ScriptHost, ScriptHostError, type ScriptResult, ScriptRunner } from '@signalbox/scripts';
import { ScriptTexts } from '../scripts/index.js';
import type { WorkflowSnapshot } from '../drafts/index.js';

/** A transform is a function of its argument, without effects. */
const NO_HOST: ScriptHost = {
  call: () => Promise.reject(new ScriptHostError('NotAllowedError', 'transform_session has no ctx')),
  log: () => undefined,
  emit: () => undefined,
};

/** A lower limit than that of the workflow. */
const MAX_MS = 60_000;

export interface TransformCall {
  companyId: number;
  snapshot: WorkflowSnapshot;
  session: unknown;
  /** That of the run: what waits for it holds the slots of lower depths. */
  depth?: number;
  signal: AbortSignal;
}

@Injectable()
export class SessionTransforms {
  constructor(
    private readonly runner: ScriptRunner,
    private readonly texts: ScriptTexts,
  ) {}

  /** Null when the workflow has no transform. */
  async execute({ companyId, snapshot, session, depth = 0, signal }: TransformCall): Promise<ScriptResult | null> {
    const { language, script_key, script_has_transform, transform_session, timeout_seconds, memory_mb } = snapshot;
    if (transform_session === null && !script_has_transform) return null;
    const execution = {
      execution_id: `transform/${randomUUID()}`,
      company_id: companyId,
      language,
      script: transform_session ?? (await this.texts.get(script_key)),
      entry: 'transform_session' as const,
      argument: session,
      limits: { timeout_ms: Math.min(MAX_MS, timeout_seconds * 1000), memory_mb },
      depth,
    };
    return this.runner.execute(execution, NO_HOST, signal);
  }

  /** Throws 409 without a transform, 422 when it throws or exceeds a limit. */
  async preview(call: TransformCall): Promise<unknown> {
    const result = await this.execute(call);
    if (!result) throw conflict('the workflow has no transform_session');
    if (result.status === 'completed') return result.output;
    if (result.status === 'lost') throw new ApiError('unavailable', result.message, { retryAfter: 1 });
    throw refused(`transform_session did not return: ${result.message}`);
  }
}
