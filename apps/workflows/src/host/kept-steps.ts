import { Injectable } from '@nestjs/common';
import { Database } from '@signalbox/database';
import { retriedPart, storable, stripUnstorable } from '@signalbox/runs';
import { ScriptHostError } from '@signalbox/scripts';
import { type CallDetails, type HostContext, nextNumber, textArgument, withoutSecret } from './host-call.js';
import { RESULTS_OF_RUN } from './kept-steps.sql.js';

const MAX_STEPS = 200;
const MAX_RESULT_BYTES = 256 * 1024;
const MAX_NAME = 200;

/** `ctx.step(name, fn)`: a restarted script does not compute stored results again. */
@Injectable()
export class KeptSteps {
  private readonly began = new WeakMap<HostContext, Map<string, number>>();

  constructor(private readonly db: Database) {}

  /** Returns the stored result of a step, if any; a name can be used once per execution. */
  async begin(context: HostContext, [given]: readonly unknown[]): Promise<{ done: boolean; result?: unknown }> {
    const name = withoutSecret(textArgument(given, 'the name of a step'), 'the name of a step', context.secrets);
    if (storable(name) !== name)
      throw new ScriptHostError('TypeError', 'the name of a step must not contain NUL or lone surrogates');
    if (name.length > MAX_NAME)
      throw new ScriptHostError('RangeError', `the name of a step has at most ${MAX_NAME} characters`);
    const began = this.began.get(context) ?? new Map<string, number>();
    this.began.set(context, began);
    if (began.has(name)) throw new ScriptHostError('StepError', `the step ${name} was used before in this run`);
    if (nextNumber(context, 'step') > MAX_STEPS)
      throw new ScriptHostError('RangeError', `a run has at most ${MAX_STEPS} steps`);
    began.set(name, Date.now());
    const kept = await this.find(context, name);
    if (!kept) return { done: false };
    context.writer.add({ timeline: { type: 'step', data: { name, status: 'KEPT', duration_ms: 0 } } });
    return { done: true, result: kept.result };
  }

  async end(context: HostContext, [given, result = null]: readonly unknown[], details: CallDetails): Promise<null> {
    const name = textArgument(given, 'the name of a step');
    const began = this.began.get(context)?.get(name);
    if (began === undefined) throw new ScriptHostError('StepError', `the step ${name} did not begin`);
    if (Buffer.byteLength(JSON.stringify(result)) > MAX_RESULT_BYTES)
      throw new ScriptHostError('RangeError', `the result of a step has at most ${MAX_RESULT_BYTES} bytes of JSON`);
    details.name = name;
    const data = { name, status: 'SUCCESS', duration_ms: Date.now() - began };
    const kept = { kind: 'step' as const, name, result: stripUnstorable(result, context.secrets) };
    await context.writer.keep(kept, { timeline: { type: 'step', data } });
    return null;
  }

  private async find({ job, run, signal }: HostContext, name: string): Promise<{ result: unknown } | null> {
    const read = () => this.db.select<{ result: unknown }>(job.companyId, RESULTS_OF_RUN, [run.id, name]);
    const [kept] = await retriedPart(signal, read);
    return kept ?? null;
  }
}
