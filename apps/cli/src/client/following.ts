import type { Signalbox } from '@signalbox/sdk';
import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from './catalog.js';
import { EventOutput, ofTestRun } from './event-output.js';
import { DONE, FAILED, ITEMS_FAILED } from './exit-codes.js';
import type { Input } from './input.js';
import { ProgressBar } from './progress.js';

type Follow = (client: Signalbox, input: Input, reply: never, isJson: boolean) => Promise<number>;

const POLL_MS = 500;
const ENDED = ['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT', 'DONE', 'ERROR'];
const SUCCEEDED = ['COMPLETED', 'DONE'];

interface CountedRun {
  status: string;
  done: number;
  total: number;
  errors: number;
}

async function poll(read: () => Promise<CountedRun>): Promise<number> {
  const bar = new ProgressBar();
  for (;;) {
    const { status, done, total, errors } = await read();
    bar.show({ done, total, note: errors > 0 ? `${errors} errors` : '' });
    if (ENDED.includes(status)) {
      bar.end();
      return SUCCEEDED.includes(status) ? DONE : FAILED;
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
  return code === DONE && progress.failed > 0 ? ITEMS_FAILED : code;
};

async function finetuning(client: Signalbox, finetune_run_id: number): Promise<CountedRun> {
  const { status, progress } = await client.finetuneRuns.get({ finetune_run_id });
  return { status, done: progress, total: 100, errors: 0 };
}

async function evaluation(client: Signalbox, evaluation_id: number): Promise<CountedRun> {
  const run = await client.evaluations.get({ evaluation_id });
  return { status: run.status, done: run.evaluated_requests, total: run.total_requests, errors: run.error_count };
}

/** For commands whose own reply is no stream. */
const FOLLOWED: Record<string, Follow> = {
  'testRuns.execute': testRun,
  'testRuns.resetFailed': testRun,
  'workflows.rerunRun': (client, _input, { run_id }: { run_id: string }, isJson) =>
    new EventOutput(isJson).write(client.workflows.streamRun({ run_id })),
  'tags.createRun': (client, _input, { id }: { id: number }) =>
    poll(async () => {
      const { status, processed, total_requests, errors } = await client.tags.getRun({ run_id: id });
      return { status, done: processed, total: total_requests, errors };
    }),
  'finetuneRuns.create': (client, _input, { id }: { id: number }) => poll(() => finetuning(client, id)),
  'evaluations.create': (client, _input, { id }: { id: number }) => poll(() => evaluation(client, id)),
  'evaluations.resetFailed': (client, input) => poll(() => evaluation(client, Number(input.evaluation_id))),
};

export const isFollowable = (command: Command): boolean =>
  command.shape === 'stream' || command.streams !== undefined || `${command.family}.${command.verb}` in FOLLOWED;

export const followOf = ({ family, verb }: Command): Follow | undefined => FOLLOWED[`${family}.${verb}`];
