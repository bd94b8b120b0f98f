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

/** Copies of an argument in memory: the line, its text, the value, and what is sent of it. */
const ARGUMENT_COPIES = 4;
/** An execution has certainly ended so long after its time limit. Its end is read no later, so less than `REPORT_MS`. */
const AFTER_LIMIT_MS = 2_000;

/** Share of a company for scripts at depth 0, and the minimum at any depth. */
const ARGUMENTS = { share: 64 * MIB, least: 8 * MIB } as const;

/**
 * Memory of arguments at a depth of nesting. Each depth has its own, so that a chain of scripts cannot block itself,
 * and deeper ones have less: 176 MiB for a company at all eleven. An amount above the share of the company is admitted
 * alone at its depth.
 */
export function argumentLimits(depth: number): ByteLimits {
  const perCompany = Math.max(ARGUMENTS.least, ARGUMENTS.share / 2 ** depth);
  return { total: (depth === 0 ? 3 : 2) * perCompany, perCompany, perHolder: (perCompany * 3) / 4 };
}

export class HostCallMemory {
  private readonly byDepth = new Map<number, ByteShares>();
  /** Large results, from before they are read until the script has them. */
  readonly results = new ByteShares({ total: 256 * MIB, perCompany: 128 * MIB, perHolder: 64 * MIB });
  /** Replies on the way to their scripts: per script one large reply, or several small ones. */
  readonly transit = new ByteShares({ total: 48 * MIB, perCompany: 24 * MIB, perHolder: MIB });
  /** Characters of replies that wait for the transit, by company. */
  readonly waiting = new Map<number, number>();

  /**
   * Large arguments, from before they are read until their call needs them no more. A call may wait for nested
   * executions, which have memory of their own.
   */
  arguments(depth: number): ByteShares {
    const known = this.byDepth.get(depth);
    if (known) return known;
    const made = new ByteShares(argumentLimits(depth));
    this.byDepth.set(depth, made);
    return made;
  }
}

const MAX_WAITING_LENGTH = 64 * MIB;

/**
 * Answers the host calls of one execution, publishing each reply to the process of the script at the pace at which the
 * script takes them.
 */
export class HostCalls {
  private readonly over = new AbortController();
  private readonly sent = new Map<number, () => void>();
  private readonly companyId: number;
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

  async told({ taken, argument_length }: Omit<StartedLine, 'started'>): Promise<void> {
    if (argument_length !== undefined) await this.expect(argument_length);
    else if (taken !== undefined) this.taken(taken);
  }

  /**
   * Waits until the memory for arguments of this length is available. Nothing is read from the script meanwhile, so it
   * waits as well, until its time is up: then calls are no longer answered.
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

  /** Waits for the memory of the arguments; calls run concurrently without a limit. */
  async answer(id: number, member: string, args: string): Promise<void> {
    // Earlier runners do not announce large arguments.
    if (!this.expected && args.length > MAX_SMALL_ARGUMENT_LENGTH) await this.expect(args.length);
    const given = this.expected ?? (() => undefined);
    this.expected = undefined;
    if (this.over.signal.aborted) return given();
    void this.perform(id, member, args, given).catch((error: unknown) => {
      if (!this.over.signal.aborted) throw error;
    });
  }

  private taken(id: number): void {
    this.sent.get(id)?.();
    this.sent.delete(id);
  }

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
        // The script may have to continue before there is memory for the result, and may itself wait for memory of its
        // next argument.
        argumentUsed();
        admitted.push(await this.memory.results.take(this.companyId, this, bytes, signal));
      });
      const reply = await this.replyTo(member, result).finally(argumentUsed);
      const arrived = await this.inTransit(reply);
      // A hostile child repeats the numbers of its calls.
      this.taken(id);
      this.sent.set(id, () => {
        arrived();
        release();
      });
      for (const chunk of replyChunks(reply)) this.connection.announce(`${this.started.replies}.${id}`, chunk);
      // Earlier runners do not acknowledge.
      if (!this.started.acknowledges || this.over.signal.aborted) this.taken(id);
    } catch (error) {
      release();
      throw error;
    }
  }

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

  /** Must not keep a reference to the text of the arguments. */
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
  // Other errors may reveal internals of the platform.
  if (!(error instanceof ScriptHostError)) return { name: 'HostError', message: `${member} failed` };
  const { name, message, status } = error;
  return status === undefined ? { name, message } : { name, message, status };
}
