import type { BusConnection } from '@signalbox/bus';
import { replyChunks } from './reply-chunks.js';
import { BadScriptValue, type HostReply, MAX_HOST_VALUE_LENGTH, parseScriptValue } from './script-lines.js';
import { HOST_MEMBERS, type ScriptHost, ScriptHostError } from './script-runner.js';

const KNOWN: ReadonlySet<string> = new Set(HOST_MEMBERS);

/** Answers the host calls of one execution: each reply is published to the process that executes the script. */
export class HostCalls {
  constructor(
    private readonly host: ScriptHost,
    private readonly subject: string,
    private readonly connection: Pick<BusConnection, 'announce'>,
  ) {}

  /** Starts a call; any number run at once. */
  answer(id: number, member: string, args: string): void {
    void this.replyTo(member, args).then((reply) => {
      for (const chunk of replyChunks(reply)) this.connection.announce(`${this.subject}.${id}`, chunk);
    });
  }

  private async replyTo(member: string, args: string): Promise<string> {
    try {
      if (!KNOWN.has(member)) throw new ScriptHostError('TypeError', 'the host has no such function');
      const text = textOf({ value: (await this.host.call(member, argumentsOf(member, args))) ?? null });
      if (text.length <= MAX_HOST_VALUE_LENGTH) return text;
      throw new ScriptHostError('RangeError', `the result is longer than ${MAX_HOST_VALUE_LENGTH} characters`);
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
