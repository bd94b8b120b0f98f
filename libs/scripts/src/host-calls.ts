import type { BusConnection } from '@signalbox/bus';
import { ByteShares } from '@signalbox/platform';
import { replyChunks } from './reply-chunks.js';
import {
  BadScriptValue,
  type HostReply,
  MAX_HOST_VALUE_LENGTH,
  parseScriptValue,
  type Started,
} from './script-lines.js';
import { type AdmitResult, HOST_MEMBERS, type ScriptHost, ScriptHostError } from './script-runner.js';

const KNOWN: ReadonlySet<string> = new Set(HOST_MEMBERS);
const MIB = 1024 * 1024;

/** Bounds on the memory of host calls in one process. */
export class HostCallMemory {
  /** What large results are admitted with before they are read, until the script has them. */
  readonly results = new ByteShares({ total: 256 * MIB, perCompany: 128 * MIB, perHolder: 64 * MIB });
  /** Replies on the way to their scripts: one script at a time gets one large reply, or several small ones. */
  readonly transit = new ByteShares({ total: 48 * MIB, perCompany: 24 * MIB, perHolder: MIB });
  /** Replies that wait for the transit, in characters by company. */
  readonly waiting = new Map<number, number>();
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

  constructor(
    private readonly host: ScriptHost,
    private readonly companyId: number,
    private readonly started: Started,
    private readonly connection: Pick<BusConnection, 'announce'>,
    private readonly memory: HostCallMemory,
  ) {}

  /** Starts a call; any number run at once. */
  answer(id: number, member: string, args: string): void {
    void this.perform(id, member, args).catch((error: unknown) => {
      if (!this.over.signal.aborted) throw error;
    });
  }

  /** The script has the reply to a call. */
  taken(id: number): void {
    this.sent.get(id)?.();
    this.sent.delete(id);
  }

  /** The execution has ended: nothing is sent any more. */
  close(): void {
    this.over.abort();
    for (const id of [...this.sent.keys()]) this.taken(id);
  }

  private async perform(id: number, member: string, args: string): Promise<void> {
    const admitted: (() => void)[] = [];
    const release = (): void => {
      for (const give of admitted.splice(0)) give();
    };
    try {
      const reply = await this.replyTo(member, args, async (bytes, signal) => {
        admitted.push(await this.memory.results.take(this.companyId, this, bytes, signal));
      });
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

  private async replyTo(member: string, args: string, admit: AdmitResult): Promise<string> {
    try {
      if (!KNOWN.has(member)) throw new ScriptHostError('TypeError', 'the host has no such function');
      const text = textOf({ value: (await this.host.call(member, argumentsOf(member, args), admit)) ?? null });
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
