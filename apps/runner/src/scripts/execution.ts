import type { InputOf, scripts } from '@signalbox/contracts';
import { PushStream } from '@signalbox/platform';
import {
  HOST_MEMBERS,
  MAX_SMALL_ARGUMENT_LENGTH,
  type ScriptEnd,
  SCRIPT_LOG_LEVELS,
  scriptLine,
  type ScriptLogLevel,
  type Started,
} from '@signalbox/scripts';
import type { Frame, FromChild } from '../child/index.js';
import {
  type Breach,
  type ChildExit,
  type ChildListener,
  type ExecutionLimits,
  type ScriptChild,
  Watchdog,
} from '../pool/index.js';
import { ExecutionCaps } from './execution-caps.js';
import type { HostReplies } from './host-replies.js';

export type ExecutionInput = InputOf<typeof scripts.endpoints.executeScript>;

export type OnEnd = (result: ScriptEnd, isReusable: boolean) => void;

/** A child may send anything as a code. */
const FAILURES = ['script_error', 'sandbox', 'script_invalid'] as const;
const NO_REPLY = JSON.stringify({ error: { name: 'RangeError', message: 'the result of the host call is too long' } });

export class Execution extends PushStream<string> implements ChildListener {
  private readonly caps = new ExecutionCaps();
  private readonly watchdog: Watchdog;
  private readonly replies: ReturnType<HostReplies['expect']>;
  private readonly started: Started;
  private isOver = false;
  private readonly began = performance.now();

  constructor(
    private readonly child: ScriptChild,
    private readonly input: ExecutionInput,
    private readonly limits: ExecutionLimits,
    replies: HostReplies,
    private readonly ended: OnEnd,
  ) {
    super();
    this.replies = replies.expect((id, reply) => this.reply(id, reply ?? NO_REPLY));
    this.watchdog = new Watchdog(child, limits, (breach) => this.breach(breach));
    this.started = { replies: this.replies.subject, acknowledges: true };
    this.push(scriptLine({ started: this.started }));
    child.listen(this);
    const { language, entry, script, argument } = input;
    const { memory_mb } = input.limits;
    child.send({ kind: 'run', language, entry, memory_mb, script_length: script.length }, script + argument);
  }

  /** Kills the child. The execution is lost; it counts as an outage unless the script may be the cause. */
  abort(message: string, is_outage = true): void {
    this.end({ status: 'lost', message, is_outage }, false);
  }

  override stop(): void {
    super.stop();
    this.abort('the caller disconnected');
  }

  frame({ head, body }: Frame<FromChild>): void {
    if (this.isOver) return;
    const verdict = this.caps.judge(head.kind, body, head.kind === 'call' ? head.member : undefined);
    if (verdict.kind === 'end') this.end(this.failed('sandbox', verdict.message), false);
    else if (verdict.kind === 'refuse') this.refuse(head, verdict.message);
    else if (verdict.kind === 'last-log') this.log('warn', 'the log is full: later lines are dropped', Date.now());
    else if (verdict.kind === 'pass') this.pass(head, verdict.body);
  }

  exited({ isKilled }: ChildExit): void {
    // Killed by an operator, the system or a stop: not by the script.
    if (isKilled) this.abort('the process of the script was killed from outside', false);
    else this.end(this.failed('sandbox', 'the script crashed its process'), false);
  }

  protected onDemand(): void {
    this.child.resume();
  }

  protected onOverflow(): void {
    if (!this.isOver) this.child.pause();
  }

  private pass(head: FromChild, body: string): void {
    if (head.kind === 'log') this.log(head.level, body, head.timestamp);
    else if (head.kind === 'emit') this.push(scriptLine({ emit: body }));
    else if (head.kind === 'call') this.call(head.id, head.member, body);
    else if (head.kind === 'completed')
      this.end({ status: 'completed', output: body, cpu_ms: whole(head.cpu_ms) }, true);
    else if (head.kind === 'failed') {
      const { line, cpu_ms } = head;
      const error_code = FAILURES.find((each) => each === head.error_code) ?? 'sandbox';
      const position = line === undefined ? {} : { line: whole(line) };
      const result = { status: 'failed', error_code, message: body, ...position, cpu_ms: whole(cpu_ms) } as const;
      this.end(result, error_code !== 'sandbox');
    }
  }

  private log(level: string, message: string, timestamp: number): void {
    const known = SCRIPT_LOG_LEVELS.find((each) => each === level) ?? ('info' satisfies ScriptLogLevel);
    this.push(scriptLine({ log: { level: known, message, timestamp: whole(timestamp) } }));
  }

  private call(id: number, member: string, args: string): void {
    if (!HOST_MEMBERS.some((each) => each === member))
      return this.end(this.failed('sandbox', 'the script called a function that the host does not have'), false);
    const { length } = args;
    if (length > MAX_SMALL_ARGUMENT_LENGTH)
      this.push(scriptLine({ started: this.started, taken: whole(id), argument_length: length }));
    this.push(scriptLine({ call: whole(id), member, args }));
  }

  private refuse(head: FromChild, message: string): void {
    if (head.kind === 'call') this.reply(head.id, JSON.stringify({ error: { name: 'RangeError', message } }));
  }

  private reply(id: number, reply: string): void {
    if (this.isOver) return;
    this.caps.replied();
    this.child.send({ kind: 'reply', id }, reply, () => this.replyTaken(id));
  }

  private replyTaken(id: number): void {
    if (!this.isOver) this.push(scriptLine({ started: this.started, taken: id }));
  }

  private breach(breach: Breach): void {
    const { limits, input } = this;
    const cpu_ms = this.watchdog.cpuMs;
    if (breach === 'wall') {
      const message = `the script did not end within ${input.limits.timeout_ms / 1000} s`;
      return this.end({ status: 'timed_out', message, cpu_ms }, false);
    }
    const message =
      breach === 'cpu'
        ? `the script used more than ${limits.cpuMs / 1000} s of processor time`
        : `the script used more than ${input.limits.memory_mb} MB of memory`;
    this.end(this.failed('sandbox', message), false);
  }

  private failed(error_code: 'sandbox', message: string): ScriptEnd {
    return { status: 'failed', error_code, message, cpu_ms: this.watchdog.cpuMs };
  }

  private end(result: ScriptEnd, isReusable: boolean): void {
    if (this.isOver) return;
    this.isOver = true;
    this.watchdog.stop();
    this.replies.close();
    this.push(scriptLine({ result: { ...result, wall_ms: Math.round(performance.now() - this.began) } }));
    this.finish();
    // Last, because it may start another process, which takes milliseconds.
    this.ended(result, isReusable);
  }
}

/** A child may send anything as a number. */
const whole = (value: unknown): number => (Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : 0);
