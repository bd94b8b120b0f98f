import { eventually, type Platform, timeScale } from '@signalbox/testing';
import { Customers, type Kind, KINDS } from './customers.js';
import { makeFixtures } from './fixtures.js';
import { type Outcome, rowOf } from './outcome-table.js';
import { Outside } from './outside.js';
import { reconcile } from './reconciliation.js';
import { EVERYTHING, type ReplicaOptions, Replicas } from './replicas.js';

const PACE_MS = 500;
const LEASE_SECONDS = 30;
const QUIET_MS: [number, number] = [50, 200];

/** Two replicas of everything under the calls of customers, and what those calls have come to. */
export class World {
  readonly outcomes: Outcome[] = [];

  private constructor(
    readonly replicas: Replicas,
    readonly customers: Customers,
    private readonly outside: Outside,
    private readonly companyId: number,
    private readonly limitMs: number,
  ) {}

  /** Answers of models take as long as the range says, in milliseconds. */
  static async start(answerMs: [number, number], options: ReplicaOptions = {}): Promise<World> {
    const outside = await Outside.start();
    outside.answerWithin(QUIET_MS);
    const replicas = await Replicas.start(
      {
        EGRESS_ALLOW: `127.0.0.1:${outside.provider.port},127.0.0.1:${outside.target.port}`,
        // A process that a busy machine holds up for longer loses its work to another one, which calls the model again.
        WORK_LEASE_SECONDS: String(Math.min(300, Math.round(LEASE_SECONDS * timeScale()))),
      },
      { services: EVERYTHING, ...options },
    );
    const company = await replicas.platform.company();
    const fixtures = await makeFixtures(replicas.platform, company, outside);
    outside.answerWithin(answerMs);
    const customers = new Customers(replicas.platform.baseUrl, company.key, fixtures, PACE_MS);
    return new World(replicas, customers, outside, company.companyId, answerMs[1] * 6 + 300_000);
  }

  get platform(): Platform {
    return this.replicas.platform;
  }

  /** Runs a scenario under calls that are all under way, and waits until every call that met it has ended. */
  async during(scenario: string, act: () => Promise<number | null>): Promise<Outcome> {
    const { calls } = this.customers;
    const before = calls.length;
    const stopMs = await act();
    const actedAt = Date.now();
    await eventually(
      'the calls of the scenario have ended',
      () => this.customers.hasEndedThoseBefore(actedAt),
      this.limitMs,
    );
    await this.everyKindSucceeds();
    const met = calls.slice(before);
    const outcome = {
      scenario,
      calls: met.length,
      failures: met.flatMap(({ kind, failure }) => (failure === null ? [] : [`${kind}: ${failure}`])),
      slowest: met.reduce<Outcome['slowest']>(
        (slowest, call) => (slowest && slowest.ended - slowest.began > call.ended - call.began ? slowest : call),
        undefined,
      ),
      stopMs,
    };
    this.outcomes.push(outcome);
    // Such a run takes an hour: what it has come to is seen while it lasts.
    process.stderr.write(`${rowOf(outcome)}\n`);
    return outcome;
  }

  /** Until a call of every kind has succeeded that ended after now. */
  async everyKindSucceeds(): Promise<void> {
    const before = new Map(KINDS.map((kind) => [kind, this.customers.succeeded(kind)] as const));
    const missing = (): Kind[] => KINDS.filter((kind) => this.customers.succeeded(kind) <= (before.get(kind) ?? 0));
    await eventually('every kind of call succeeds', () => missing().length === 0, this.limitMs).catch(() => {
      throw new Error(`no call succeeds any more: ${missing().join(', ')}`);
    });
  }

  /** Ends the calls and compares what was promised with what is there. */
  async settle(): Promise<Awaited<ReturnType<typeof reconcile>>> {
    this.outside.answerWithin(QUIET_MS);
    await this.customers.stop();
    const compare = () => reconcile(this.platform.sql, this.companyId, this.customers.accepted, this.outside);
    // Recorded calls reach their table a moment later, and what a client gave up on still ends.
    const isSettled = async (): Promise<boolean> => {
      const { lost, double } = await compare();
      return lost.length + double.length === 0;
    };
    await eventually('all that was accepted is there once', isSettled, 60_000).catch(() => undefined);
    return compare();
  }

  async stop(): Promise<void> {
    await this.replicas.stop();
    await this.outside.close();
  }
}

/** How long the calls are left alone between two scenarios. */
export const untilUnderWay = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms * timeScale()));
