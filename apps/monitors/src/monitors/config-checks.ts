import { Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import { TextTests } from '@signalbox/conditions';
import {
  ApiError,
  type Caller,
  conditionsOf,
  type ConditionGroup,
  type Detail,
  models,
  MonitorConfig,
  type MonitorResult,
  type MonitorRunner,
  parse,
  workflowLinks,
} from '@signalbox/contracts';

const GROUPS = ['fault', 'warning'] as const;

const patternsOf = (group: ConditionGroup | null | undefined): string[] =>
  group
    ? conditionsOf(group).flatMap(({ condition }) =>
        condition.operator === 'matches' ? [String(condition.value)] : [],
      )
    : [];

@Injectable()
export class ConfigChecks {
  constructor(
    private readonly tests: TextTests,
    private readonly bus: BusClient,
  ) {}

  /**
   * Replaces the version `latest` of the runner by its number. Throws 422 for a bad pattern, 404 for a missing runner.
   */
  async checked(config: MonitorConfig, caller: Caller): Promise<MonitorConfig> {
    await this.tests.requirePatterns(
      caller.companyId,
      GROUPS.flatMap((name) => patternsOf(config.result[name])),
    );
    return config.runner ? { ...config, runner: await this.pinnedRunner(config.runner, caller) } : config;
  }

  /** What keeps a config from judging, by field. */
  async problemsOf(config: unknown, caller: Caller): Promise<Detail[]> {
    let parsed: MonitorConfig;
    try {
      parsed = parse(MonitorConfig, config);
    } catch (error) {
      return detailsOf(error, 'config');
    }
    const { runner, result } = parsed;
    const problems = runner ? await this.runnerProblems(runner, caller) : [{ field: 'runner', message: 'is required' }];
    return [...problems, ...(await this.patternProblems(result, caller.companyId))];
  }

  private async runnerProblems(runner: MonitorRunner, caller: Caller): Promise<Detail[]> {
    const unasked = runner.resource_type === 'model' && !runner.input.prompt?.trim();
    const problems = unasked ? [{ field: 'runner.input.prompt', message: 'is required for the runner "model"' }] : [];
    return [...problems, ...(await problemsIn('runner.resource_id', () => this.pinnedRunner(runner, caller)))];
  }

  private async patternProblems(result: MonitorResult, companyId: number): Promise<Detail[]> {
    const found: Detail[] = [];
    for (const name of GROUPS)
      found.push(
        ...(await problemsIn(`result.${name}`, () => this.tests.requirePatterns(companyId, patternsOf(result[name])))),
      );
    return found;
  }

  private async pinnedRunner(runner: MonitorRunner, caller: Caller): Promise<MonitorRunner> {
    const { resource_type, resource_id, version, release } = runner;
    if (resource_type === 'direct' || resource_id == null) return runner;
    if (resource_type === 'workflow') {
      const pinned = { ...(version == null ? {} : { version }), ...(release == null ? {} : { release }) };
      const reference = { workflow_id: resource_id, ...pinned };
      const target = await this.bus.call(workflowLinks.endpoints.resolveWorkflow, reference, caller);
      return version === 'latest' ? { ...runner, version: target.version } : runner;
    }
    await this.bus.call(models.endpoints.getModel, { model_id: String(resource_id) }, caller);
    return runner;
  }
}

/** Turns a refusal into details; other errors are thrown. */
async function problemsIn(field: string, check: () => Promise<unknown>): Promise<Detail[]> {
  try {
    await check();
    return [];
  } catch (error) {
    return detailsOf(error, field);
  }
}

function detailsOf(error: unknown, field: string): Detail[] {
  if (!(error instanceof ApiError) || !['invalid', 'refused', 'not_found'].includes(error.kind)) throw error;
  return error.extras.details ?? [{ field, message: error.message }];
}
