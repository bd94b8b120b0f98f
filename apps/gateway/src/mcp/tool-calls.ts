import type { CallToolResult } from '@modelcontextprotocol/server';
import { type ApiError, type Caller, type Class, parse, toApiError } from '@signalbox/contracts';
import { refusalOf, resultOf } from './answer.js';
import type { McpCallLog } from './call-log.js';
import type { ListedTool } from './listed-tool.js';
import type { PlatformCalls } from './platform-calls.js';
import { schemaOf } from './schemas.js';
import type { Tool } from './tool.js';

export interface ToolCaller {
  caller: Caller;
  address: string;
  client: string;
}

export interface PreparedCall {
  target: string | undefined;
  carryOut(): Promise<CallToolResult>;
}

/** A refusal is also noted after a call that has used up its time. */
const NOTE_MS = 5000;

/** Adds each call to the audit log before carrying it out, and each refusal with its cause. */
export class ToolCalls {
  constructor(
    private readonly by: ToolCaller,
    readonly platform: PlatformCalls,
    private readonly log: McpCallLog,
    private readonly onUnforeseen: (error: unknown) => void,
  ) {}

  listed(tool: Tool): ListedTool {
    const prepare = (args: object): PreparedCall => {
      const input = parse(tool.input as Class<object>, args);
      const carryOut = async () => resultOf(await tool.run(input, this.platform));
      return { target: tool.target?.(input), carryOut };
    };
    return {
      name: tool.name,
      description: tool.description,
      input: schemaOf(tool.input),
      readOnly: tool.scope === 'read',
      call: (args) => this.run(tool.name, () => prepare(args)),
    };
  }

  /** A refusal becomes a result that the model reads. */
  async run(name: string, prepare: () => PreparedCall): Promise<CallToolResult> {
    try {
      const { target, carryOut } = prepare();
      await this.note(name, target);
      return await carryOut();
    } catch (thrown) {
      const error = toApiError(thrown);
      if (error.kind === 'internal') this.onUnforeseen(thrown);
      const sentence = sentenceOf(error);
      await this.note(name, undefined, `${error.status} ${sentence}`);
      return refusalOf(error.status, sentence);
    }
  }

  refuse(name: string): Promise<void> {
    return this.note(name, undefined, 'no such tool for this key at this address');
  }

  private note(tool: string, target?: string, refused?: string): Promise<void> {
    const { caller, address, client } = this.by;
    const deadline = refused === undefined ? caller.deadline : Math.max(caller.deadline, Date.now() + NOTE_MS);
    return this.log.note(
      { ...caller, deadline },
      { address, tool, client, target, ...(refused === undefined ? {} : { refused }) },
    );
  }
}

function sentenceOf({ message, extras }: ApiError): string {
  const details = (extras.details ?? []).slice(0, 10).map(({ field, message: says }) => `${field} ${says}`);
  return `${message}${details.length > 1 ? `: ${details.join('; ')}` : ''}`;
}
