import type { QuickJSContext, QuickJSHandle, QuickJSRuntime, QuickJSWASMModule } from 'quickjs-emscripten-core';
import type { Channel } from '../channel.js';
import type { FromChild } from '../frames.js';
import { type ChildOutcome, type ChildRun, shortened } from '../language.js';
import { prelude } from './prelude.js';

const STACK_BYTES = 256 * 1024;
const MIB = 1024 * 1024;
/** Memory of the instance that is not the script's heap: stack and static data of the engine. */
const ENGINE_BYTES = 2 * MIB;
/** The longest text of one frame, in characters; the host copies it out of the sandbox. */
const MAX_TEXT_LENGTH = 16 * MIB;
const SCRIPT_FILE = 'script.js';

/** One execution in one instance of the engine, which is discarded with it. */
export class QuickJsRun {
  private readonly runtime: QuickJSRuntime;
  private readonly context: QuickJSContext;
  private controls: QuickJSHandle | undefined;
  private outcome: ChildOutcome | undefined;
  /** Replies that arrived while the script waited for another one. */
  private readonly early = new Map<number, string>();

  constructor(
    module: QuickJSWASMModule,
    private readonly run: ChildRun,
    private readonly channel: Channel,
  ) {
    this.runtime = module.newRuntime();
    this.runtime.setMemoryLimit(run.memory_mb * MIB - ENGINE_BYTES);
    this.runtime.setMaxStackSize(STACK_BYTES);
    this.context = this.runtime.newContext();
  }

  /** Evaluates the code and drives its promises until there is a result; blocks. */
  execute(code: string): ChildOutcome {
    const { context } = this;
    const made = context.evalCode(`(${prelude.toString()})`, 'prelude.js');
    if (made.error) return this.failureOf(made.error);
    const controls = context.callFunction(made.value, context.undefined, this.host());
    if (controls.error) return this.failureOf(controls.error);
    this.controls = controls.value;
    const module = context.evalCode(code, SCRIPT_FILE, { type: 'module' });
    if (module.error) return this.failureOf(module.error);
    this.control('begin', module.value, context.newString(this.run.entry), context.newString(this.run.argument));
    return this.drive();
  }

  private drive(): ChildOutcome {
    for (;;) {
      const jobs = this.runtime.executePendingJobs();
      if (jobs.error) return this.failureOf(jobs.error);
      if (this.outcome) return this.outcome;
      const [first] = this.early;
      if (first) this.deliver(...first);
      else if (this.pending() === 0) return neverSettled;
      else this.deliver(...this.nextReply());
    }
  }

  private deliver(id: number, reply: string): void {
    this.early.delete(id);
    this.control('deliver', this.context.newNumber(id), this.context.newString(reply));
  }

  private pending(): number {
    return this.context.getNumber(this.control('pending'));
  }

  private control(name: string, ...args: QuickJSHandle[]): QuickJSHandle {
    const { context } = this;
    const controls = this.controls as QuickJSHandle;
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

  private waitFor(id: number): string {
    for (;;) {
      const [arrived, reply] = this.nextReply();
      if (arrived === id) return reply;
      this.early.set(arrived, reply);
    }
  }

  /** The functions of the host: strings and numbers go in and out, never an object of this process. */
  private host(): QuickJSHandle {
    const { context } = this;
    const host = context.newObject();
    const offer = (name: string, work: (...args: QuickJSHandle[]) => QuickJSHandle | undefined): void => {
      const fn = context.newFunction(name, (...args) => work(...args) ?? context.undefined);
      context.setProp(host, name, fn);
      fn.dispose();
    };
    offer('send', (kind, id, detail, body) => {
      this.send(this.text(kind), this.number(id), this.text(detail), this.text(body));
      return undefined;
    });
    offer('waitFor', (id) => context.newString(this.waitFor(this.number(id))));
    offer('now', () => context.newNumber(Date.now()));
    return host;
  }

  private send(kind: string, number: number, detail: string, body: string): void {
    if (kind === 'completed') this.outcome ??= { status: 'completed', body };
    else if (kind === 'failed') this.outcome ??= failure(body, detail);
    else if (kind === 'call') this.channel.write({ kind, id: number, member: detail }, body);
    else if (kind === 'log') this.channel.write({ kind, level: detail, timestamp: number } satisfies FromChild, body);
    else if (kind === 'emit') this.channel.write({ kind }, body);
  }

  private text(handle: QuickJSHandle | undefined): string {
    const { context } = this;
    if (!handle || context.typeof(handle) !== 'string') throw new TypeError('not a string');
    const length = context.getProp(handle, 'length').consume((each) => context.getNumber(each));
    if (length > MAX_TEXT_LENGTH) throw new RangeError(`a value is longer than ${MAX_TEXT_LENGTH} characters as JSON`);
    return context.getString(handle);
  }

  private number(handle: QuickJSHandle | undefined): number {
    return handle && this.context.typeof(handle) === 'number' ? this.context.getNumber(handle) : 0;
  }

  /** The outcome of an exception that left the engine. */
  private failureOf(thrown: QuickJSHandle): ChildOutcome {
    const dumped = this.context.dump(thrown) as { name?: unknown; message?: unknown; stack?: unknown } | null;
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
