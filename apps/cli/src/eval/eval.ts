import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Signalbox } from '@signalbox/sdk';
import { describeFailure, exitCodeOf } from '../client/failures.js';
import { connectedClient } from '../client/run-command.js';
import { UsageError } from '../client/usage-error.js';
import { EVAL_HELP, evalOptions, type EvalOptions } from './eval-options.js';
import { type Evaluation, evaluationOf, PATIENT, start } from './evaluation.js';
import { markdownReport, textReport } from './report.js';
import { type Verdict, verdictOf } from './verdict.js';

const JSON_INDENT = 2;

async function report(client: Signalbox, options: EvalOptions, evaluation: Evaluation, verdict: Verdict) {
  const { set, consumer, junit, markdown, json } = options;
  const { id } = evaluation.run;
  if (json) console.log(JSON.stringify({ ...verdict, ...evaluation }, null, JSON_INDENT));
  else console.log(textReport(evaluation, verdict));
  if (junit !== undefined) writeFileSync(junit, await (await client.testRuns.export({ id, format: 'junit' })).bytes());
  if (markdown !== undefined)
    writeFileSync(markdown, markdownReport(evaluation, verdict, `${consumer.name} against ${set}`));
}

/** Before the run, which costs money, so that a bad path fails first. */
function makeFolders({ junit, markdown }: EvalOptions): void {
  for (const file of [junit, markdown])
    try {
      if (file !== undefined) mkdirSync(dirname(file), { recursive: true });
    } catch (error) {
      throw new UsageError(`${file} cannot be written: ${describeFailure(error)}`);
    }
}

export async function evalCommand(words: string[], environment: NodeJS.ProcessEnv): Promise<number> {
  try {
    const options = evalOptions(words);
    if (options === null) {
      console.log(EVAL_HELP);
      return 0;
    }
    makeFolders(options);
    const id = await start(connectedClient(environment), options, environment);
    const client = connectedClient(environment, PATIENT);
    const ended = await evaluationOf(client, id, options);
    const verdict = verdictOf(ended, options.minMatchRate);
    await report(client, options, ended, verdict);
    return verdict.code;
  } catch (error) {
    console.error(`signalbox eval: ${describeFailure(error)}`);
    return exitCodeOf(error);
  }
}
