import type { BusConnection } from '@signalbox/bus';
import { type ByteLimits, ByteShares } from '@signalbox/platform';
import { replyChunks } from './reply-chunks.js';
import {
  BadScriptValue,
  type HostReply,
  MAX_HOST_VALUE_LENGTH,
  MAX_SMALL_ARGUMENT_LENGTH,
  parseScriptValue,
  type Started,
  type StartedLine,
} from './script-lines.js';
import {
  type AdmitResult,
  HOST_MEMBERS,
  type ScriptExecution,
  type ScriptHost,
  ScriptHostError,
} from './script-runner.js';

const KNOWN: ReadonlySet<string> = new Set(HOST_MEMBERS);
const MIB = 1024 * 1024;

/** The memory of an argument by its characters: the line, its text, the value, and what is sent of it. */
const ARGUMENT_COPIES = 4;
/** How long after its limit of time an execution is certainly over. */
const AFTER_LIMIT_MS = 2_000;

/** The share of a company in the memory of arguments of scripts that no other waits for, and the smallest one. */
const ARGUMENTS = { share: 64 * MIB, least: 8 * MIB } as const;

/**
 * The memory of arguments at a depth of nesting. Each depth has its own, so that a chain of scripts ends, and deeper ones
 * have less, so that a company does not have as much again at each depth: 176 MiB at all eleven. What is larger than the
 * share of its company is held alone at its depth.
 */
export function argumentLimits(depth: number): ByteLimits {
  const perCompany = Math.max(ARGUMENTS.least, ARGUMENTS.share / 2 ** depth);
  return { total: (depth === 0 ? 3 : 2) * perCompany, perCompany, perHolder: (perCompany * 3) / 4 };
}

/** Bounds on the memory of host calls in one process. */
export class HostCallMemory {
  private readonly byDepth = new Map<number, ByteShares>();
  /** What large results are admitted with before they are read, until the script has them. */
  readonly results = new ByteShares({ total: 256 * MIB, perCompany: 128 * MIB, perHolder: 64 * MIB });
  /** Replies on the way to their scripts: one script at a time gets one large reply, or several small ones. */
  readonly transit = new ByteShares({ total: 48 * MIB, perCompany: 24 * MIB, perHolder: MIB });
  /** Replies that wait for the transit, in characters by company. */
  readonly waiting = new Map<number, number>();

  /**
   * What large arguments are admitted with before they are read, until their call needs them no more. A call may wait
   * for executions that are nested deeper: these have memory of their own.
   */
  arguments(depth: number): ByteShares {
    const known = this.byDepth.get(depth);
    if (known) return known;
    const made = new ByteShares(argumentLimits(depth));
    this.byDepth.set(depth, made);
    return made;
  }
}

/** Characters of replies that may wait until the scripts of one company take earlier ones. */
const MAX_WAITING_LENGTH = 64 * MIB;

/**
 * Answers the host calls of one execution: each reply is published to the process that executes the script, at the pace
 * at which the script takes them. A busy script is not sent more than it has room for.
 */
export class HostCalls {
  private readonly over = new AbortController();
  /** What ends the transit of the replies that the script has not taken, by the number of the call. */
  private readonly sent = new Map<number, () => void>();
  private readonly companyId: number;
  /** Gives back the memory of the arguments that come next. */
  private expected: (() => void) | undefined;
  private readonly endsAt: number;

  constructor(
    private readonly host: ScriptHost,
    private readonly execution: Pick<ScriptExecution, 'company_id' | 'depth' | 'limits'>,
    private readonly started: Started,
    private readonly connection: Pick<BusConnection, 'announce'>,
    private readonly memory: HostCallMemory,
    private readonly signal: AbortSignal,
  ) {
    this.companyId = execution.company_id;
    this.endsAt = performance.now() + execution.limits.timeout_ms + AFTER_LIMIT_MS;
  }

  /** Takes a repetition of the line that began the execution. */
  async told({ taken, argument_length }: Omit<StartedLine, 'started'>): Promise<void> {
    if (argument_length !== undefined) await this.expect(argument_length);
    else if (taken !== undefined) this.taken(taken);
  }

  /**
   * Waits until arguments of so many characters may be read. Meanwhile nothing of the script is read, so it waits as
   * well, for its time at most: when that is over, no call is answered any more.
   */
  private async expect(length: number): Promise<void> {
    const left = AbortSignal.timeout(Math.max(0, Math.round(this.endsAt - performance.now())));
    const signal = AbortSignal.any([this.signal, this.over.signal, left]);
    const shares = this.memory.arguments(this.execution.depth);
    try {
      this.expected = await shares.take(this.companyId, this, length * ARGUMENT_COPIES, signal);
    } catch {
      this.close();
    }
  }

  /** Starts a call once its arguments have memory; any number run at once. */
  async answer(id: number, member: string, args: string): Promise<void> {
    // An earlier version of the runner does not say that large arguments come.
    if (!this.expected && args.length > MAX_SMALL_ARGUMENT_LENGTH) await this.expect(args.length);
    const given = this.expected ?? (() => undefined);
    this.expected = undefined;
    if (this.over.signal.aborted) return given();
    void this.perform(id, member, args, given).catch((error: unknown) => {
      if (!this.over.signal.aborted) throw error;
    });
  }

  /** The script has the reply to a call. */
  private taken(id: number): void {
    this.sent.get(id)?.();
    this.sent.delete(id);
  }

  /** The execution has ended: nothing is sent any more. */
  close(): void {
    this.over.abort();
    this.expected?.();
    this.expected = undefined;
    for (const id of [...this.sent.keys()]) this.taken(id);
  }

  private async perform(id: number, member: string, args: string, argumentUsed: () => void): Promise<void> {
    const admitted: (() => void)[] = [];
    const release = (): void => {
      for (const give of admitted.splice(0)) give();
    };
    try {
      const result = this.called(member, args, async (bytes, signal) => {
        // Its script may have to go on before there is memory for a result, and may wait for that of its next argument.
        argumentUsed();
        admitted.push(await this.memory.results.take(this.companyId, this, bytes, signal));
      });
      const reply = await this.replyTo(member, result).finally(argumentUsed);
      const arrived = await this.inTransit(reply);
      this.sent.set(id, () => {
        arrived();
        release();
      });
      for (const chunk of replyChunks(reply)) this.connection.announce(`${this.started.replies}.${id}`, chunk);
      // An earlier version of the runner does not say when.
      if (!this.started.acknowledges || this.over.signal.aborted) this.taken(id);
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Waits until the reply may be sent. */
  private async inTransit({ length }: string): Promise<() => void> {
    const { waiting, transit } = this.memory;
    const count = (change: number): void => {
      const left = (waiting.get(this.companyId) ?? 0) + change;
      if (left > 0) waiting.set(this.companyId, left);
      else waiting.delete(this.companyId);
    };
    count(length);
    try {
      return await transit.take(this.companyId, this, length, this.over.signal);
    } finally {
      count(-length);
    }
  }

  /** Keeps no reference to the text of the arguments. */
  private called(member: string, args: string, admit: AdmitResult): Promise<unknown> {
    try {
      if (!KNOWN.has(member)) throw new ScriptHostError('TypeError', 'the host has no such function');
      return this.host.call(member, argumentsOf(member, args), admit);
    } catch (error) {
      return Promise.reject(error as Error);
    }
  }

  private async replyTo(member: string, result: Promise<unknown>): Promise<string> {
    try {
      const text = textOf({ value: (await result) ?? null });
      if (text.length > MAX_HOST_VALUE_LENGTH)
        throw new ScriptHostError('RangeError', `the result is longer than ${MAX_HOST_VALUE_LENGTH} characters`);
      if ((this.memory.waiting.get(this.companyId) ?? 0) + text.length > MAX_WAITING_LENGTH)
        throw new ScriptHostError('RangeError', 'too many results wait until the scripts of this company take them');
      return text;
    } catch (error) {
      return textOf({ error: errorOf(member, error) });
    }
  }
}

function argumentsOf(member: string, text: string): unknown[] {
  try {
    const args = parseScriptValue(text);
    if (Array.isArray(args)) return args;
  } catch (error) {
    if (!(error instanceof BadScriptValue)) throw error;
    throw new ScriptHostError('RangeError', `an argument ${error.message}`);
  }
  throw new ScriptHostError('TypeError', `the arguments of ${member} are not a list`);
}

const textOf = (reply: HostReply): string => JSON.stringify(reply);

function errorOf(member: string, error: unknown): { name: string; message: string; status?: number } {
  // The text of any other error may describe the platform's inside.
  if (!(error instanceof ScriptHostError)) return { name: 'HostError', message: `${member} failed` };
  const { name, message, status } = error;
  return status === undefined ? { name, message } : { name, message, status };
}
