import { Injectable, type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { BusModule, Consumer, Every, JobHandler, type JobWith } from '@signalbox/bus';
import { type Consumption, consumption, defineEvents } from '@signalbox/contracts';
import { Database, DatabaseModule } from '@signalbox/database';
import {
  createLogger,
  FenceLost,
  GracefulStop,
  job,
  type JobKinds,
  loggerModule,
  nestLogger,
  staleWrites,
  unknownWork,
} from '@signalbox/platform';
import { eventually, serviceEnv, startServers, type TestServers } from '@signalbox/testing';
import { Pool } from 'pg';
import { JobRunner } from '../src/work/job-runner.js';
import { testerUrl } from './widgets.js';

let servers: TestServers;
let sql: Pool;
const apps: { app: INestApplicationContext; stop: GracefulStop }[] = [];

/** Resolves when it is opened. */
class Latch {
  open!: () => void;
  readonly opened = new Promise<void>((resolve) => (this.open = resolve));
}

const kinds = { quick: job('jobs-quick', { name: 'text' }), slow: job('jobs-slow', { name: 'text' }) };
type NamedJob = JobWith<{ name: string }>;

@Injectable()
class Jobs {
  readonly done: string[] = [];
  readonly givenUp: string[] = [];
  readonly passes: AbortSignal[] = [];
  readonly slow = new Latch();
  passEnds: Promise<void> = Promise.resolve();
  runningPasses = 0;
  mostPasses = 0;

  @JobHandler(kinds.quick, { backoffMs: [1, 1, 1, 1], onExhausted: 'leave' })
  async quick({ payload: { name } }: NamedJob): Promise<void> {
    await Promise.resolve();
    if (name === 'bad') throw new Error('a job that never succeeds');
    if (name === 'taken') throw new FenceLost();
    this.done.push(name);
  }

  async leave({ payload: { name } }: NamedJob): Promise<void> {
    await Promise.resolve();
    this.givenUp.push(name);
  }

  @JobHandler(kinds.slow)
  async slowly({ payload: { name } }: NamedJob): Promise<void> {
    await this.slow.opened;
    this.done.push(name);
  }

  @Every(20, 'an interval run failed')
  async pass(stop: AbortSignal): Promise<void> {
    this.mostPasses = Math.max(this.mostPasses, ++this.runningPasses);
    this.passes.push(stop);
    await this.passEnds;
    this.runningPasses--;
    if (this.passes.length === 2) throw new Error('the second run fails');
  }
}

beforeAll(async () => {
  servers = await startServers({ migrated: true });
  sql = new Pool({ connectionString: servers.postgres.url, max: 2 });
}, 60_000);
afterEach(async () => {
  for (const { app } of apps.splice(0)) await app.close();
  await sql.query('TRUNCATE accounts.work');
});
afterAll(async () => {
  await sql.end();
  await servers.stop();
});

/** A service of the jobs and the name that it connects as. */
interface Service {
  name: string;
  jobs: JobKinds;
}

const TESTER: Service = { name: 'tester', jobs: kinds };

function rootOf(stop: GracefulStop, providers: (new () => object)[], service = TESTER): new () => object {
  const env = serviceEnv(servers, 'accounts');
  const logger = createLogger('tester', 'silent');
  class Root {}
  Module({
    imports: [
      loggerModule(logger, stop),
      DatabaseModule.forService({
        service: 'accounts',
        url: env.DATABASE_URL ?? '',
        workerUrl: env.WORKER_DATABASE_URL ?? '',
        entities: [],
      }),
      BusModule.forService({ ...service, url: testerUrl(servers), database: true }),
    ],
    // An alias of a provider is the same instance: its methods run once.
    providers: [...providers, { provide: 'alias', useExisting: providers[0] }],
  })(Root);
  return Root;
}

async function start(): Promise<(typeof apps)[number]> {
  const stop = new GracefulStop(5000);
  const app = await NestFactory.createApplicationContext(rootOf(stop, [Jobs]), {
    logger: nestLogger(createLogger('tester', 'silent')),
    abortOnError: false,
  });
  apps.push({ app, stop });
  return { app, stop };
}

async function expectNoStart(message: string, providers: (new () => object)[], service?: Service): Promise<void> {
  const strategy = { listen: (ready: () => void) => ready(), close: () => undefined, on: () => undefined };
  const app = await NestFactory.createMicroservice(rootOf(new GracefulStop(), providers, service), {
    strategy: strategy as never,
    logger: false,
  });
  await expect(app.init()).rejects.toThrow(message);
  await app.close();
}

const add = (app: INestApplicationContext, kind: string, ...refs: string[]): Promise<void> =>
  app
    .get(Database)
    .withCompany({ companyId: 1 }, (tx) => Promise.resolve(refs.forEach((ref) => tx.addWork(kind, ref))));
const open = async (): Promise<string[]> =>
  (await sql.query<{ ref: string }>('SELECT ref FROM accounts.work WHERE done_at IS NULL ORDER BY id')).rows.map(
    ({ ref }) => ref,
  );

describe('a method with @JobHandler', () => {
  it('performs each job once, and the one that always fails ends with `onExhausted`', async () => {
    const { app } = await start();
    await add(app, 'jobs-quick', 'one', 'bad', 'two');
    await eventually('all jobs have ended', async () => (await open()).length === 0);
    expect(app.get(Jobs).done.sort()).toEqual(['one', 'two']);
    expect(app.get(Jobs).givenUp).toEqual(['bad']);
  });

  it('leaves a job whose fence is lost to its new holder', async () => {
    const { app } = await start();
    await add(app, 'jobs-quick', 'taken', 'other');
    const refused = async () => (await staleWrites.get()).values.find(({ labels }) => labels.kind === 'jobs-quick');
    await eventually('the stale write is counted', async () => (await refused())?.value === 1);
    await eventually('the other job is done', async () => (await open()).join() === 'taken');
    const { rows } = await sql.query<{ attempt: number }>(
      `SELECT attempt FROM accounts.work WHERE ref = 'taken' AND lease_owner IS NOT NULL`,
    );
    expect(rows).toEqual([{ attempt: 1 }]);
  });

  it('claims nothing when the process stops, and finishes running jobs', async () => {
    const { app, stop } = await start();
    await add(app, 'jobs-slow', 'begun');
    await eventually('the job is leased', async () => {
      const { rows } = await sql.query(`SELECT 1 FROM accounts.work WHERE ref = 'begun' AND lease_owner IS NOT NULL`);
      return rows.length === 1;
    });
    stop.begin();
    await add(app, 'jobs-quick', 'after');
    app.get(Jobs).slow.open();
    await app.get(JobRunner, { strict: false }).end();
    expect(app.get(Jobs).done).toEqual(['begun']);
    expect(await open()).toEqual(['after']);
  });

  it('is the only one of its kind, or the process does not start', async () => {
    class Twice {
      @JobHandler(kinds.quick)
      async again(_job: NamedJob): Promise<void> {
        await Promise.resolve();
      }
    }
    await expectNoStart('jobs of kind jobs-quick have two handlers', [Jobs, Twice]);
  });

  it('exists for each declared kind and for no other, or the process does not start', async () => {
    const lost = job('jobs-lost', { name: 'text' });
    class Lost {
      @JobHandler(lost)
      async find(_job: NamedJob): Promise<void> {
        await Promise.resolve();
      }
    }
    await expectNoStart('jobs of kind jobs-lost have a handler and are not declared', [Jobs, Lost]);
    await expectNoStart('jobs of kind jobs-lost are declared and have no handler', [Jobs], {
      name: 'tester',
      jobs: { ...kinds, lost },
    });
  });

  it('is missing for jobs of an unknown kind, which are visible in the metrics', async () => {
    const { app } = await start();
    await add(app, 'jobs-qiuck', 'one', 'two');
    await add(app, 'jobs-typo@1', 'three');
    await app.get(JobRunner, { strict: false }).reportUnknownKinds();
    const kinds = async () => (await unknownWork.get()).values.map(({ labels, value }) => [labels.kind, value]);
    expect(await kinds()).toEqual([
      ['jobs-qiuck', 1],
      ['jobs-typo', 1],
    ]);
    await sql.query('TRUNCATE accounts.work');
    await app.get(JobRunner, { strict: false }).reportUnknownKinds();
    expect(await kinds()).toEqual([]);
  });
});

describe('a method with @Consumer', () => {
  const letters: Consumption = { durable: 'tester-letters', filter: 'audit.*' };
  const empty = (): Promise<void> => Promise.resolve();

  it('is the only one of its durable, or the process does not start', async () => {
    class Reads {
      @Consumer(letters)
      async read(): Promise<void> {
        await empty();
      }

      @Consumer(letters)
      async readAgain(): Promise<void> {
        await empty();
      }
    }
    await expectNoStart('consumer tester-letters has two methods', [Jobs, Reads]);
  });

  it('exists for each consumer that its service declares, or the process does not start', async () => {
    const message = 'consumer monitors-intents-gone, which service monitors declares, has no method';
    await expectNoStart(message, [Jobs], { name: 'monitors', jobs: kinds });
  });

  it('keeps its process from starting when no service publishes its event', async () => {
    const events = defineEvents('desk', {
      'widget.lost': { resource: 'widget', data: Jobs, description: 'A widget was lost' },
    });
    class Searches {
      @Consumer(consumption(events, 'widget.lost', 'tester-lost-widgets'))
      async search(): Promise<void> {
        await Promise.resolve();
      }
    }
    await expectNoStart('no service publishes events.*.widget.lost, which tester-lost-widgets consumes', [
      Jobs,
      Searches,
    ]);
  });
});

describe('a method with @Every', () => {
  it('runs at the start and again, although a run fails, and never twice at once', async () => {
    const { app } = await start();
    const jobs = app.get(Jobs);
    expect(jobs.passes.length).toBeGreaterThan(0);
    await eventually('later runs', () => jobs.passes.length >= 4);
    const latch = new Latch();
    jobs.passEnds = latch.opened;
    await eventually('a run that takes long', () => jobs.runningPasses === 1);
    const { length } = jobs.passes;
    await add(app, 'jobs-quick', 'meanwhile');
    await eventually('much later', () => jobs.done.includes('meanwhile'));
    latch.open();
    await eventually('the run after that', () => jobs.passes.length > length);
    expect(jobs.mostPasses).toBe(1);
  });

  it('gets an aborted signal when the process stops, and is waited for', async () => {
    const { app } = await start();
    const jobs = app.get(Jobs);
    const latch = new Latch();
    jobs.passEnds = latch.opened;
    await eventually('a run that takes long', () => jobs.runningPasses === 1);
    let closed = false;
    const closing = app.close().then(() => (closed = true));
    await eventually('the signal', () => jobs.passes.at(-1)?.aborted);
    expect(closed).toBe(false);
    const { length } = jobs.passes;
    latch.open();
    await closing;
    apps.pop();
    expect(jobs.runningPasses).toBe(0);
    expect(jobs.passes.length).toBe(length);
  });
});
