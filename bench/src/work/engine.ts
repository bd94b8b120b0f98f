import { setTimeout as sleep } from 'node:timers/promises';
import { answer } from '../measure/answer.js';
import { median } from '../measure/rounds.js';

/** A work engine in a separate process, with handlers that only report which job began. */
export interface WorkEngine {
  /** Adds jobs in one transaction; they are durable when it resolves. */
  enqueue(refs: readonly string[]): Promise<void>;
  /** Jobs that Postgres does not list as done yet. */
  outstanding(): Promise<number>;
  stop(): Promise<void>;
}

/** How many jobs, how many per transaction, how many transactions at once. */
export interface Flood {
  jobs: number;
  batch: number;
  writers: number;
}

/** The work of a side. */
export type WorkQuestion = { flood: Flood } | { trickle: { jobs: number; gapMs: number } };

/** Seconds of a flood, milliseconds of a trickle, and how many jobs ran never or twice. */
export interface WorkAnswer {
  seconds: number;
  medianMs: number;
  errors: number;
}

/** It fails what hangs; a busy machine takes minutes. */
const LIMIT_MS = 600_000;

let last = 0;
/** Refs of jobs: ascending ids, like those of tasks. */
const nextRef = (): string => String(++last);

/** The log of which jobs began, when, how often. */
class Log {
  readonly began = new Map<string, number>();
  twice = 0;
  private reached: { count: number; then: () => void } | undefined;

  note(ref: string): void {
    if (this.began.has(ref)) this.twice++;
    this.began.set(ref, performance.now());
    if (this.reached && this.began.size >= this.reached.count) this.reached.then();
  }

  async until(count: number): Promise<void> {
    if (this.began.size >= count) return;
    const all = new Promise<void>((then) => (this.reached = { count, then }));
    await Promise.race([all, sleep(LIMIT_MS, undefined, { ref: false })]);
  }
}

async function drained(engine: WorkEngine): Promise<void> {
  const end = Date.now() + LIMIT_MS;
  while ((await engine.outstanding()) > 0 && Date.now() < end) await sleep(2);
}

async function flood(engine: WorkEngine, log: Log, { jobs, batch, writers }: Flood): Promise<WorkAnswer> {
  const refs = Array.from({ length: jobs }, nextRef);
  const batches = Array.from({ length: Math.ceil(jobs / batch) }, (_, at) => refs.slice(at * batch, (at + 1) * batch));
  const began = performance.now();
  const write = async (): Promise<void> => {
    for (let next = batches.pop(); next; next = batches.pop()) await engine.enqueue(next);
  };
  await Promise.all(Array.from({ length: writers }, write));
  await log.until(jobs);
  await drained(engine);
  const seconds = (performance.now() - began) / 1000;
  const missing = refs.filter((ref) => !log.began.has(ref)).length;
  return { seconds, medianMs: 0, errors: missing + log.twice + (await engine.outstanding()) };
}

async function trickle(engine: WorkEngine, log: Log, jobs: number, gapMs: number): Promise<WorkAnswer> {
  const waits: number[] = [];
  let errors = 0;
  for (let job = 0; job < jobs; job++) {
    const ref = nextRef();
    const addedAt = performance.now();
    await engine.enqueue([ref]);
    await log.until(job + 1);
    const began = log.began.get(ref);
    if (began === undefined) errors++;
    else waits.push(began - addedAt);
    await drained(engine);
    await sleep(gapMs * (0.5 + Math.random()));
  }
  return { seconds: 0, medianMs: median(waits), errors: errors + log.twice };
}

/** Runs an engine as the child of a bench. */
export async function serveEngine(start: (began: (ref: string) => void) => Promise<WorkEngine>): Promise<void> {
  let log = new Log();
  const engine = await start((ref) => log.note(ref));
  answer<WorkQuestion>(
    (question) => {
      log = new Log();
      return 'flood' in question
        ? flood(engine, log, question.flood)
        : trickle(engine, log, question.trickle.jobs, question.trickle.gapMs);
    },
    () => engine.stop(),
  );
}
