import { Serves } from '@signalbox/bus';
import {
  type Caller,
  type CallTo,
  type Handlers,
  type MonitorConfig,
  monitorPreviews,
  notFound,
  type SourceType,
} from '@signalbox/contracts';
import { Budgets } from '../budgets/index.js';
import { Judge, SOURCE_OF_TARGET, SourceReader } from '../judging/index.js';
import { ConfigChecks } from '../monitors/index.js';
import { MonitorVersions } from '../versions/index.js';
import { pathsOf } from './payload-paths.js';

type C = typeof monitorPreviews;

interface Previewed {
  payload?: Record<string, unknown>;
  source_type?: SourceType;
  source_id?: string;
}

@Serves(monitorPreviews)
export class MonitorPreviewHandlers implements Handlers<C> {
  constructor(
    private readonly judge: Judge,
    private readonly sources: SourceReader,
    private readonly checks: ConfigChecks,
    private readonly versions: MonitorVersions,
    private readonly budgets: Budgets,
  ) {}

  async previewConfig({ input, caller }: CallTo<C, 'previewConfig'>) {
    const config = await this.checks.checked(input.config, caller);
    return this.preview(caller, config, input, { monitor_id: null, used_version_number: null });
  }

  async previewMonitor({ input, caller }: CallTo<C, 'previewMonitor'>) {
    const { monitor_id, use, version, release } = input;
    // First, so that an unknown monitor is a 404 whatever else is wrong.
    const pinned = use === 'version' ? { version } : use === 'release' ? { release } : {};
    const { snapshot, version: used } = await this.versions.resolve(caller.companyId, monitor_id, pinned);
    const config = input.config && (await this.checks.checked(input.config, caller));
    await this.budgets.requireOpen(caller.companyId, { monitor_id, limits: snapshot.config.limits });
    // The limit of a given config may be lower, never higher.
    if (config) await this.budgets.requireOpen(caller.companyId, { monitor_id, limits: config.limits });
    return this.preview(caller, config ?? snapshot.config, input, { monitor_id, used_version_number: used });
  }

  async sampleTarget({ input: { target_type, target_id }, caller }: CallTo<C, 'sampleTarget'>) {
    const newest = await this.sources.newest(target_type, target_id, caller);
    if (!newest) throw notFound('sample');
    const { payload, sampled_at, source_id } = newest;
    const source_type = SOURCE_OF_TARGET[target_type];
    return { target_type, target_id, payload, payload_paths: pathsOf(payload), sampled_at, source_type, source_id };
  }

  /** The cost counts towards the budget of the monitor, if any. */
  private async preview<Of extends { monitor_id: number | null }>(
    caller: Caller,
    config: MonitorConfig,
    previewed: Previewed,
    of: Of,
  ) {
    const payload = await this.payloadOf(previewed, caller);
    const { failure, cost, ...judgement } = await this.judge.judge({
      companyId: caller.companyId,
      config,
      payload,
      runId: null,
    });
    if (of.monitor_id !== null) await this.budgets.addFor(caller.companyId, { monitor_id: of.monitor_id, cost });
    const quality = judgement.outcome === 'PASS' ? null : ('quality' as const);
    return {
      ...of,
      runner_type: config.runner?.resource_type ?? ('direct' as const),
      ...judgement,
      failure_class: failure ? failure.failure_class : quality,
      error_message: failure?.error_message ?? null,
    };
  }

  private async payloadOf({ payload, source_type, source_id }: Previewed, caller: Caller): Promise<object> {
    if (payload || !source_type || !source_id) return payload ?? {};
    const source = await this.sources.find(source_type, source_id, caller);
    if (!source) throw notFound('source');
    return source.payload;
  }
}
