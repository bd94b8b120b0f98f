import type { Signalbox } from '@signalbox/sdk';
import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from './catalog.js';
import { EventOutput, ofTestRun } from './event-output.js';
import { DONE, FAILED, ITEMS_FAILED } from './exit-codes.js';
import type { Input } from './input.js';
import { ProgressBar } from './progress.js';

interface Followed {
  code: number;
  /** What a run without a stream has become. */
  record?: unknown;
}

type Follow = (client: Signalbox, input: Input, reply: never, isJson: boolean) => Promise<Followed>;

const POLL_MS = 500;
const ENDED = ['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT', 'DONE', 'ERROR'];
const SUCCEEDED = ['COMPLETED', 'DONE'];

interface CountedRun {
  status: string;
  done: number;
  total: number;
  errors: number;
}

async function poll<T>(read: () => Promise<T>, count: (record: T) => CountedRun): Promise<Followed> {
  const bar = new ProgressBar();
  for (;;) {
    const record = await read();
    const { status, done, total, errors } = count(record);
    bar.show({ done, total, note: errors > 0 ? `${errors} errors` : '' });
    if (ENDED.includes(status)) {
      bar.end();
      return { code: SUCCEEDED.includes(status) ? DONE : FAILED, record };
    }
    await delay(POLL_MS);
  }
}

const testRun: Follow = async (client, input, _reply, isJson) => {
  const id = Number(input.id);
  const code = await new EventOutput(isJson).write(client.testRuns.stream({ id }));
  // A short run may end before its stream is open, which then has no progress.
  const progress = await client.testRuns.getProgress({ id });
  const bar = new ProgressBar();
  bar.show(ofTestRun(progress));
  bar.end();
  return { code: code === DONE && progress.failed > 0 ? ITEMS_FAILED : code };
};

const tagging = (client: Signalbox, run_id: number): Promise<Followed> =>
  poll(
    () => client.tags.getRun({ run_id }),
    ({ status, processed, total_requests, errors }) => ({ status, done: processed, total: total_requests, errors }),
  );

const finetuning = (client: Signalbox, finetune_run_id: number): Promise<Followed> =>
  poll(
    () => client.finetuneRuns.get({ finetune_run_id }),
    ({ status, progress }) => ({ status, done: progress, total: 100, errors: 0 }),
  );

const evaluation = (client: Signalbox, evaluation_id: number): Promise<Followed> =>
  poll(
    () => client.evaluations.get({ evaluation_id }),
    (run) => ({
      status: run.status,
      done: run.evaluated_requests,
      total: run.total_requests,
      errors: run.error_count,
    }),
  );

/** For commands whose own reply is no stream. */
const FOLLOWED: Record<string, Follow> = {
  'testRuns.execute': testRun,
  'testRuns.resetFailed': testRun,
  'workflows.rerunRun': async (client, _input, { run_id }: { run_id: string }, isJson) => ({
    code: await new EventOutput(isJson).write(client.workflows.streamRun({ run_id })),
  }),
  'tags.createRun': (client, _input, { id }: { id: number }) => tagging(client, id),
  'finetuneRuns.create': (client, _input, { id }: { id: number }) => finetuning(client, id),
  'evaluations.create': (client, _input, { id }: { id: number }) => evaluation(client, id),
  'evaluations.resetFailed': (client, input) => evaluation(client, Number(input.evaluation_id)),
};

export const isFollowable = (command: Command): boolean =>
  command.shape === 'stream' || command.streams !== undefined || `${command.family}.${command.verb}` in FOLLOWED;

export const followOf = ({ family, verb }: Command): Follow | undefined => FOLLOWED[`${family}.${verb}`];
