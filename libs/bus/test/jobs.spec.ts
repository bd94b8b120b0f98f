import { Injectable, type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { BusModule, Consumes, Every, GivesUp, type MessageFilter, Prepares, Selects, Works } from '@signalbox/bus';
import { type Consumption, consumption, defineEvents } from '@signalbox/contracts';
import { Database, DatabaseModule } from '@signalbox/database';
import {
  createLogger,
  FenceLost,
  GracefulStop,
  type Job,
  loggerModule,
  nestLogger,
  staleWrites,
  unknownWork,
} from '@signalbox/platform';
import { eventually, serviceEnv, startServers, type TestServers } from '@signalbox/testing';
import { Pool } from 'pg';
import { WorkRunner } from '../src/work/work-runner.js';
import { testerUrl } from './widgets.js';

let servers: TestServers;
let sql: Pool;
const apps: { app: INestApplicationContext; stop: GracefulStop }[] = [];

/** Resolves when it is opened. */
class Latch {
  open!: () => void;
  readonly opened = new Promise<void>((resolve) => (this.open = resolve));
}

@Injectable()
class Jobs {
  readonly done: string[] = [];
  readonly givenUp: string[] = [];
  readonly passes: AbortSignal[] = [];
  readonly slow = new Latch();
  passEnds: Promise<void> = Promise.resolve();
  runningPasses = 0;
  mostPasses = 0;

  @Works('jobs-quick', { backoffMs: [1, 1, 1, 1] })
  async quick({ ref }: Job): Promise<void> {
    await Promise.resolve();
    if (ref === 'bad') throw new Error('a job that never succeeds');
    if (ref === 'taken') throw new FenceLost();
    this.done.push(ref);
  }

  @GivesUp('jobs-quick')
  async leave({ ref }: Job): Promise<void> {
    await Promise.resolve();
    this.givenUp.push(ref);
  }

  @Works('jobs-slow')
  async slowly({ ref }: Job): Promise<void> {
    await this.slow.opened;
    this.done.push(ref);
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

function rootOf(stop: GracefulStop, providers: (new () => object)[]): new () => object {
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
      BusModule.forService({ name: 'tester', url: testerUrl(servers), database: true }),
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

async function expectNoStart(message: string, ...providers: (new () => object)[]): Promise<void> {
  const strategy = { listen: (ready: () => void) => ready(), close: () => undefined, on: () => undefined };
  const app = await NestFactory.createMicroservice(rootOf(new GracefulStop(), providers), {
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

describe('a method marked with @Works', () => {
  it('performs each job once, and the one that always fails is given up by @GivesUp', async () => {
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
    await app.get(WorkRunner, { strict: false }).end();
    expect(app.get(Jobs).done).toEqual(['begun']);
    expect(await open()).toEqual(['after']);
  });

  it('is the only one of its kind, or the process does not start', async () => {
    class Twice {
      @Works('jobs-quick')
      async again(_job: Job): Promise<void> {
        await Promise.resolve();
      }
    }
    await expectNoStart('work of kind jobs-quick has two workers', Jobs, Twice);
  });

  it('exists for each kind that is given up, or the process does not start', async () => {
    class Misspelt {
      @GivesUp('jobs-qiuck')
      async leave(_job: Job): Promise<void> {
        await Promise.resolve();
      }
    }
    const message = 'work of kind jobs-qiuck, which a method gives up, has no worker';
    await expectNoStart(message, Jobs, Misspelt);
  });

  it('is missing for jobs of an unknown kind, which are visible in the metrics', async () => {
    const { app } = await start();
    await add(app, 'jobs-qiuck', 'one', 'two');
    await add(app, 'jobs-typo@1', 'three');
    await app.get(WorkRunner, { strict: false }).reportUnknownKinds();
    const kinds = async () => (await unknownWork.get()).values.map(({ labels, value }) => [labels.kind, value]);
    expect(await kinds()).toEqual([
      ['jobs-qiuck', 1],
      ['jobs-typo', 1],
    ]);
    await sql.query('TRUNCATE accounts.work');
    await app.get(WorkRunner, { strict: false }).reportUnknownKinds();
    expect(await kinds()).toEqual([]);
  });
});

describe('a method marked with @Consumes', () => {
  const letters: Consumption = { durable: 'tester-letters', filter: 'audit.*' };
  const empty = (): Promise<void> => Promise.resolve();

  it('is the only one of its durable, or the process does not start', async () => {
    class Reads {
      @Consumes(letters)
      async read(): Promise<void> {
        await empty();
      }

      @Consumes(letters)
      async readAgain(): Promise<void> {
        await empty();
      }
    }
    await expectNoStart('consumer tester-letters has two methods', Reads);
  });

  it('exists for each durable that a method selects or prepares for, or the process does not start', async () => {
    class Selecting {
      @Selects(letters)
      async select(): Promise<MessageFilter> {
        return Promise.resolve(() => true);
      }
    }
    class Preparing {
      @Prepares(letters)
      async prepare(): Promise<void> {
        await empty();
      }
    }
    const message = 'consumer tester-letters, which a method selects or prepares for, consumes nothing';
    await expectNoStart(message, Selecting);
    await expectNoStart(message, Preparing);
  });

  it('keeps its process from starting when no service publishes its event', async () => {
    const events = defineEvents('desk', {
      'widget.lost': { resource: 'widget', data: Jobs, description: 'A widget was lost' },
    });
    class Searches {
      @Consumes(consumption(events, 'widget.lost', 'tester-lost-widgets'))
      async search(): Promise<void> {
        await Promise.resolve();
      }
    }
    await expectNoStart('no service publishes events.*.widget.lost, which tester-lost-widgets consumes', Searches);
  });
});

describe('a method marked with @Every', () => {
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
