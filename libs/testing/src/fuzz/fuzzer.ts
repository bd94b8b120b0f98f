import { setTimeout as pause } from 'node:timers/promises';
import type { Endpoint } from '@signalbox/contracts';
import { default as fc } from 'fast-check';
import { CASES } from '../conformance/cases/cases.js';
import { RawClient } from '../conformance/raw-client.js';
import { nameOf, PUBLIC_ENDPOINTS } from '../conformance/public-endpoints.js';
import { ConformanceFixtures } from '../conformance/fixtures.js';
import type { Platform, TestCompany } from '../platform/platform.js';
import type { HttpTarget } from '../fakes/http-target.js';
import { seededRandom } from '../fakes/seeded-random.js';
import { type Lifetime, LIFETIMES } from './lifetimes.js';
import { answerProblems } from './reply-problems.js';
import type { FuzzRequest } from './message.js';
import { exchange, repliesIn } from './socket.js';
import { PauseDetector } from './pause-detector.js';
import { type Input, named, chain, requestsFor } from './requests.js';
import type { FuzzOptions, FuzzReport, FuzzProblem } from './report.js';

const WORKERS = 6;

const BATCH = 20;

const RECOVERY_MS = 15_000;

/** After so many batches a company is no longer usable: keys revoked, applications disabled, names odd. */
const BATCHES_PER_WORLD = 25;

export class Fuzzer {
  private readonly found = new Map<string, FuzzProblem>();
  private readonly kinds: Record<string, number> = {};
  private readonly statuses: Record<string, number> = {};
  private readonly random: () => number;
  private readonly pauses = new PauseDetector();
  private slowest = 0;
  private disturbed = 0;
  private sent = 0;
  private batches = 0;

  constructor(
    private readonly platform: Platform,
    private readonly target: HttpTarget,
    private readonly options: FuzzOptions,
  ) {
    this.random = seededRandom(options.seed);
  }

  async run(): Promise<FuzzReport> {
    const started = Date.now();
    await Promise.all(Array.from({ length: WORKERS }, () => this.work())).catch(async (error: unknown) => {
      // With a dead service the run cannot continue, and that is its result.
      await this.noteDead();
      if (this.found.size === 0) throw error;
    });
    await this.noteDead();
    this.pauses.stop();
    return {
      seed: this.options.seed,
      requests: this.sent,
      seconds: Math.round((Date.now() - started) / 1000),
      kinds: this.kinds,
      statuses: this.statuses,
      slowestMs: Math.round(this.slowest),
      disturbed: this.disturbed,
      problems: [...this.found.values()],
    };
  }

  private async noteDead(): Promise<void> {
    for (const [name, { running }] of this.platform.processes) {
      if (running) continue;
      const last = (await this.platform.logOf(name)).trimEnd().split('\n').slice(-5).join('\n');
      const request: FuzzRequest = { kind: 'valid', from: name, bytes: Buffer.from('') };
      this.note(request, ['the process of the service has ended', last]);
    }
  }

  private async work(): Promise<void> {
    while (this.sent < this.options.requests) {
      const { companyId, key } = await this.company();
      const fixtures = new ConformanceFixtures(new RawClient(this.platform.baseUrl), companyId, key, this.target);
      for (let batch = 0; batch < BATCHES_PER_WORLD && this.sent < this.options.requests; batch++) {
        if (!(await this.batch(fixtures))) break;
      }
    }
  }

  private async company(): Promise<TestCompany> {
    const started = performance.now();
    return this.platform.company().catch(async (error: unknown) => {
      if (!this.pauses.since(started - RECOVERY_MS)) throw error;
      await pause(RECOVERY_MS);
      return this.platform.company();
    });
  }

  private async batch(fixtures: ConformanceFixtures): Promise<boolean> {
    const seed = Math.floor(this.random() * 2 ** 31);
    if (++this.batches % 50 === 0) this.options.log?.(`${this.sent} requests, ${this.found.size} kinds of problems`);
    try {
      if (seed % 8 === 0) await this.live(fixtures, LIFETIMES[seed % LIFETIMES.length], seed);
      else await this.sendBatch(fixtures, PUBLIC_ENDPOINTS[seed % PUBLIC_ENDPOINTS.length], seed);
      return true;
    } catch (error) {
      // Fixtures fail once earlier requests have broken the company.
      if (error instanceof Error && error.message.startsWith('the fixtures need')) return false;
      throw error;
    }
  }

  private async sendBatch(fixtures: ConformanceFixtures, endpoint: Endpoint | undefined, seed: number): Promise<void> {
    if (!endpoint) return;
    const base = await this.input(endpoint, fixtures);
    for (const request of fc.sample(requestsFor(endpoint, base, fixtures.key), { seed, numRuns: BATCH }))
      await this.send(request);
  }

  /** After the deletion no endpoint may find the resource. */
  private async live(fixtures: ConformanceFixtures, lifetime: Lifetime | undefined, seed: number): Promise<void> {
    if (!lifetime) return;
    const { create, remove, id, uses } = lifetime;
    const made = await this.send(chain(create, await this.input(create, fixtures), fixtures.key));
    const thing = (made.body as { data?: { id?: unknown } } | undefined)?.data?.id;
    if (made.status !== 200 || thing === undefined) return;
    const step = async (endpoint: Endpoint, input: Input) =>
      this.send(chain(endpoint, { ...input, [id]: thing }, fixtures.key));
    const used = fc.sample(
      fc.shuffledSubarray(uses, { minLength: Math.min(3, uses.length), maxLength: Math.min(6, uses.length) }),
      {
        seed,
        numRuns: 1,
      },
    )[0];
    const inputs = new Map<Endpoint, Input>();
    for (const endpoint of used ?? []) {
      inputs.set(endpoint, await this.input(endpoint, fixtures));
      await step(endpoint, inputs.get(endpoint) ?? {});
    }
    const parent = await this.input(remove, fixtures);
    const { [id]: _gone, ...rest } = made.input ?? {};
    const removal = { ...parent, ...named(remove, rest) };
    if ((await step(remove, removal)).status !== 200) return;
    for (const endpoint of [remove, ...inputs.keys()]) {
      const { status, request } = await step(endpoint, endpoint === remove ? removal : (inputs.get(endpoint) ?? {}));
      if (status !== 404) this.note(request, [`answers ${status} for what was deleted`]);
    }
  }

  private input(endpoint: Endpoint, fixtures: ConformanceFixtures): Promise<Input> {
    return Promise.resolve(CASES[nameOf(endpoint)]?.(fixtures) ?? {});
  }

  private async send(
    request: FuzzRequest & { input?: Input },
  ): Promise<{ status: number; body?: unknown; input?: Input; request: FuzzRequest }> {
    this.sent += 1;
    this.kinds[request.kind] = (this.kinds[request.kind] ?? 0) + 1;
    const started = performance.now();
    const answer = await exchange(this.platform.port, request.bytes, request.kind !== 'raw');
    const [reply] = repliesIn(answer.text, request.bytes.toString('latin1', 0, 5) === 'HEAD ');
    const status = reply?.status ?? 0;
    this.statuses[status] = (this.statuses[status] ?? 0) + 1;
    const problems = answerProblems(request, answer);
    // After a long outage the gateway does not use a service again at once.
    const disturbed = this.pauses.since(started - RECOVERY_MS);
    if (disturbed && (answer.hung || status === 503 || status === 504)) this.disturbed += 1;
    else this.note(request, problems);
    if (!answer.givenUp && !disturbed) this.slowest = Math.max(this.slowest, answer.ms);
    const body = status === 200 && request.kind === 'chain' ? parsed(reply?.body ?? '') : undefined;
    return { status, body, request, ...(request.input ? { input: request.input } : {}) };
  }

  private note(request: FuzzRequest, [problem, ...detail]: string[]): void {
    if (problem === undefined) return;
    const from = request.from ?? '';
    const key = `${request.kind} ${from} ${problem}`;
    const known = this.found.get(key);
    if (known) known.times += 1;
    else
      this.found.set(key, {
        times: 1,
        kind: request.kind,
        from,
        problem,
        detail: detail.join('; '),
        request: request.bytes.toString('utf8').slice(0, 3000),
      });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
