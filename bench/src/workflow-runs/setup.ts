import { applications, type Workflow, workflows } from '@signalbox/contracts';
import type { Platform, PlatformOptions } from '@signalbox/testing';
import { takeGenerator } from '../load/generators.js';
import type { Load, LoadResult } from '../load/protocol.js';
import type { Child } from '../measure/child.js';
import { cpuSecondsByName } from '../measure/cpu.js';
import type { Setups } from '../setups.js';

/** A script that does as little as a workflow can. */
export const TRIVIAL = 'function execute(ctx) { return ctx.input + 1 }';

/** The input of every run, and what its reply contains. */
const INPUT = 41;
const OUTPUT = 42;

const MAX_RUNS = 100_000;

/** The load of a round and what came of it. */
export interface RoundOfRuns extends LoadResult {
  /** CPU microseconds of a run, by the process that used them. */
  cpuMicros: ReadonlyMap<string, number>;
}

/** A company and its workflow; runs are executed over HTTP, each in mode `sync`. */
export interface BenchWorkflow {
  companyId: number;
  key: string;
  workflow: Workflow;
}

/** The product with the services that workflows need, and a generator of load in a separate process. */
export class WorkflowSetup {
  static readonly NEEDS: PlatformOptions = {
    services: ['accounts', 'traffic', 'agents', 'workflows', 'runner', 'gateway'],
    durable: true,
  };

  private constructor(
    private readonly setups: Setups,
    readonly platform: Platform,
    private readonly generator: Child,
  ) {}

  static async on(platform: Platform, setups: Setups): Promise<WorkflowSetup> {
    return new WorkflowSetup(setups, platform, await takeGenerator(setups));
  }

  /** A new company with a workflow of one script; the company has no process of the runner yet. */
  async company(script = TRIVIAL): Promise<BenchWorkflow> {
    const { companyId, key } = await this.platform.company();
    const caller = this.platform.caller(companyId);
    await this.platform.bus.call(
      applications.endpoints.createApplication,
      { application_name: 'Bench', state: 'ENABLED', meta: {} },
      caller,
    );
    const workflow = await this.platform.bus.call(
      workflows.endpoints.createWorkflow,
      {
        workflow_ref_name: 'bench',
        description: '',
        language: 'javascript',
        script,
        execution_mode: 'sync',
        allow_inproc_nesting: false,
        inproc_nested_refs: [],
        timeout_seconds: 30,
        memory_mb: 128,
        status: 'ENABLED',
        meta: {},
      },
      caller,
    );
    return { companyId, key, workflow };
  }

  /** Executes a workflow over some connections, each of which begins a run when its last one has ended. */
  async load(of: BenchWorkflow, { connections, seconds }: Pick<Load, 'connections' | 'seconds'>): Promise<RoundOfRuns> {
    const load: Load = {
      port: this.platform.port,
      prefix: `/api/v1/workflows/${of.workflow.id}/execute`,
      headers: { 'x-service-api-key': of.key },
      body: JSON.stringify({ input: INPUT, mode: 'sync' }),
      first: 1,
      count: MAX_RUNS,
      connections,
      seconds,
      status: 200,
      expect: `"output":${OUTPUT}`,
    };
    const before = this.cpu();
    const result = await this.generator.ask<LoadResult>(load);
    const after = this.cpu();
    const cpuMicros = [...after].map(
      ([name, used]) => [name, ((used - (before.get(name) ?? 0)) / result.requests) * 1e6] as const,
    );
    return { ...result, cpuMicros: new Map(cpuMicros) };
  }

  /** Resolves with how many runs of a company have the status COMPLETED. */
  async completed({ companyId }: BenchWorkflow): Promise<number> {
    const { rows } = await this.platform.sql.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM workflows.runs WHERE company_id = $1 AND status = 'COMPLETED'`,
      [companyId],
    );
    return rows[0]?.count ?? 0;
  }

  stop(): Promise<void> {
    return this.setups.release(this.generator);
  }

  /** CPU seconds so far of each process, those of scripts counted with the runner. */
  private cpu(): Map<string, number> {
    const { processes, servers } = this.platform;
    const services = [...processes].map(([name, { pid }]) => [name, pid] as const);
    const all = [...services, ['postgres', servers.postgres.pid] as const, ['nats', servers.nats.pid] as const];
    return cpuSecondsByName(new Map(all));
  }
}
