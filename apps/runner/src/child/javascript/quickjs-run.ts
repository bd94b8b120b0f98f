import type { QuickJSHandle } from 'quickjs-emscripten-core';
import type { Channel } from '../channel.js';
import { type FromChild, MAX_EVENT_BYTES } from '../frames.js';
import { type ChildOutcome, type ChildRun, shortened } from '../language.js';
import type { EngineHost, QuickJsEngine } from './quickjs-engine.js';

const MIB = 1024 * 1024;
/** Characters per frame; the host copies the text out of the sandbox. */
const MAX_TEXT_LENGTH = 16 * MIB;
const SCRIPT_FILE = 'script.js';

export class QuickJsRun implements EngineHost {
  private outcome: ChildOutcome | undefined;
  private readonly early = new Map<number, string>();

  constructor(
    private readonly engine: QuickJsEngine,
    private readonly run: Pick<ChildRun, 'entry' | 'argument'>,
    private readonly channel: Channel,
  ) {}

  execute(code: string): ChildOutcome {
    this.engine.begin(this);
    const { context } = this.engine;
    const module = context.evalCode(code, SCRIPT_FILE, { type: 'module' });
    if (module.error) return this.failureOf(module.error);
    this.control('begin', module.value, context.newString(this.run.entry), context.newString(this.run.argument));
    return this.drive();
  }

  send(kind: QuickJSHandle, id: QuickJSHandle, detail: QuickJSHandle, body: QuickJSHandle): void {
    this.take(this.text(kind), this.number(id), this.text(detail), this.text(body));
  }

  waitFor(id: QuickJSHandle): QuickJSHandle {
    return this.engine.context.newString(this.replyTo(this.number(id)));
  }

  private drive(): ChildOutcome {
    for (;;) {
      const jobs = this.engine.runtime.executePendingJobs();
      if (jobs.error) return this.failureOf(jobs.error);
      if (this.outcome) return this.outcome;
      const [first] = this.early;
      if (first) this.deliver(...first);
      else if (this.pending() === 0) return neverSettled;
      else this.deliver(...this.nextReply());
    }
  }

  private deliver(id: number, reply: string): void {
    const { context } = this.engine;
    this.early.delete(id);
    this.control('deliver', context.newNumber(id), context.newString(reply));
  }

  private pending(): number {
    return this.engine.context.getNumber(this.control('pending'));
  }

  private control(name: string, ...args: QuickJSHandle[]): QuickJSHandle {
    const { context, controls } = this.engine;
    const called = context.callFunction(context.getProp(controls, name), controls, ...args);
    for (const each of args) each.dispose();
    if (!called.error) return called.value;
    this.outcome ??= this.failureOf(called.error);
    return context.newNumber(0);
  }

  private nextReply(): [number, string] {
    const frame = this.channel.read();
    if (!frame) throw new Error('the parent has closed the channel');
    if (frame.head.kind !== 'reply') throw new Error(`a script runs, and a frame of kind ${frame.head.kind} arrived`);
    return [frame.head.id, frame.body];
  }

  private replyTo(id: number): string {
    for (;;) {
      const [arrived, reply] = this.nextReply();
      if (arrived === id) return reply;
      this.early.set(arrived, reply);
    }
  }

  private take(kind: string, number: number, detail: string, body: string): void {
    if (kind === 'completed') this.outcome ??= { status: 'completed', body };
    else if (kind === 'failed') this.outcome ??= failure(body, detail);
    else if (kind === 'call') this.channel.write({ kind, id: number, member: detail }, body);
    else if (kind === 'log') this.channel.write({ kind, level: detail, timestamp: number } satisfies FromChild, body);
    else if (kind === 'emit') this.emit(body);
  }

  private emit(body: string): void {
    if (Buffer.byteLength(body) > MAX_EVENT_BYTES)
      throw new RangeError(`an event is longer than ${MAX_EVENT_BYTES} bytes as JSON`);
    this.channel.write({ kind: 'emit' }, body);
  }

  private text(handle: QuickJSHandle): string {
    const { context } = this.engine;
    if (context.typeof(handle) !== 'string') throw new TypeError('not a string');
    const length = context.getProp(handle, 'length').consume((each) => context.getNumber(each));
    if (length > MAX_TEXT_LENGTH) throw new RangeError(`a value is longer than ${MAX_TEXT_LENGTH} characters as JSON`);
    return context.getString(handle);
  }

  private number(handle: QuickJSHandle): number {
    const { context } = this.engine;
    return context.typeof(handle) === 'number' ? context.getNumber(handle) : 0;
  }

  private failureOf(thrown: QuickJSHandle): ChildOutcome {
    const dumped = this.engine.context.dump(thrown) as { name?: unknown; message?: unknown; stack?: unknown } | null;
    if (typeof dumped !== 'object' || dumped === null) return { status: 'script_error', body: String(dumped) };
    return failure(`${String(dumped.name)}: ${String(dumped.message)}`, String(dumped.stack));
  }
}

const neverSettled: ChildOutcome = {
  status: 'script_error',
  body: 'the script waits for a promise that nothing settles',
};

const IN_SCRIPT = /script\.js:(\d+)/;

function failure(message: string, stack: string): ChildOutcome {
  const line = Number(IN_SCRIPT.exec(stack)?.[1] ?? 0);
  const status = /^InternalError: out of memory/.test(message) ? 'sandbox' : 'script_error';
  return { status, body: shortened(message), ...(line > 0 ? { line } : {}) };
}
