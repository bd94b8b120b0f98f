import { type DynamicModule, Module, type Provider, type Type } from '@nestjs/common';
import type { ProcessRole } from '@signalbox/bus';
import { RunNotifications } from './events/run-notifications.js';
import { StreamSubscribers } from './events/stream-subscribers.js';
import { RunRetention } from './retention/run-retention.repository.js';
import { RunWaits } from './reads/run-waits.js';
import type { HeldRun } from './run-kind.js';
import { type Runs, RUNS } from './runs.js';
import { SecretExchange } from './secrets/secret-exchange.js';
import { SecretHolder } from './secrets/secret-holder.js';
import { SecretHolderLeases } from './secrets/secret-holder-leases.repository.js';
import { SecretTransfer } from './secrets/secret-transfer.js';
import { jobsOfRuns, RUN_JOBS, type RunJobs } from './work/run-jobs.js';
import { RunLoop, type RunSteps } from './work/run-loop.js';
import { RunWorker } from './work/run-worker.js';
import { RunWorkLoops, RunWorkSettings } from './work/run-work-loops.js';
import { SuspendedRuns } from './work/suspended-runs.js';

export interface ProvidedRuns {
  runs: Type;
  steps: Type;
  /** Further jobs of its runs, from other providers of the service. */
  jobs?: { inject: Type[]; from: (...injected: never[]) => RunJobs[] };
}

/** Does not compile unless all parts are of the same kind. */
export const provideRuns = <Run extends HeldRun, Trigger extends string, RunRecord extends object, Act, Made>(
  runs: Type<Runs<Run, Trigger, RunRecord>>,
  steps: Type<RunSteps<Run, Act, Made>>,
  jobs?: ProvidedRuns['jobs'],
): ProvidedRuns => ({ runs, steps, ...(jobs ? { jobs } : {}) });

const SHARED = [
  RunNotifications,
  RunWaits,
  SecretExchange,
  SecretHolder,
  SecretHolderLeases,
  SecretTransfer,
  StreamSubscribers,
  SuspendedRuns,
];

/** Not in a process that leaves both to the workers of its service. */
const EXECUTION: Provider[] = [RunRetention, RunWorker];

/** The feature that owns the runs imports and exports this. */
@Module({})
export class RunsModule {
  static forRuns(...runs: Type[]): DynamicModule {
    return { module: RunsModule, providers: repositoryProviders(runs), exports: [...SHARED, ...runs, RUNS] };
  }
}

const repositoryProviders = (runs: Type[]): Provider[] => [
  ...SHARED,
  ...runs,
  { provide: RUNS, inject: runs, useFactory: (...kinds: Runs[]) => kinds },
];

/** Executes the kinds of runs; the module imports the `RunsModule` of these runs. */
export function runWorkProviders(
  kinds: readonly ProvidedRuns[],
  settings = new RunWorkSettings(),
  role: ProcessRole = 'all',
): Provider[] {
  const tokens = kinds.map(() => Symbol('jobs of a kind of run'));
  const flat = (...jobs: RunJobs[][]): RunJobs[] => jobs.flat();
  return [
    RunWorkLoops,
    ...(role === 'api' ? [] : EXECUTION),
    ...kinds.map(({ steps }) => steps),
    { provide: RunWorkSettings, useValue: settings },
    ...kinds.map((kind, at) => jobsProvider(kind, tokens[at] ?? '')),
    { provide: RUN_JOBS, inject: tokens, useFactory: flat },
  ];
}

export function runProviders(kinds: readonly ProvidedRuns[], settings?: RunWorkSettings): Provider[] {
  return [...repositoryProviders(kinds.map(({ runs }) => runs)), ...runWorkProviders(kinds, settings)];
}

const LOOP = [SecretHolder, SuspendedRuns, RunNotifications];

function jobsProvider({ runs, steps, jobs }: ProvidedRuns, provide: symbol | string): Provider {
  const make = (
    { kind }: Runs<HeldRun>,
    does: RunSteps<HeldRun, unknown>,
    secrets: SecretHolder,
    suspended: SuspendedRuns,
    notifications: RunNotifications,
    ...others: never[]
  ): RunJobs[] => [
    ...jobsOfRuns(kind, new RunLoop(kind, does, secrets, suspended, notifications)),
    ...(jobs?.from(...others) ?? []),
  ];
  return { provide, inject: [runs, steps, ...LOOP, ...(jobs?.inject ?? [])], useFactory: make };
}
