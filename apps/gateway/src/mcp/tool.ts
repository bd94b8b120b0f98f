import type { Class, Scope } from '@signalbox/contracts';
import type { Answer } from './answer.js';
import type { PlatformCalls } from './platform-calls.js';

/** A tool: what it takes, what a key needs for it, and what it does on behalf of one caller. */
export interface Tool<I extends object = object> {
  name: string;
  /** For the model that chooses among the tools. */
  description: string;
  /** The scope without which the tool is neither listed nor called. */
  scope: Scope;
  input: Class<I>;
  /** What a call names, for the audit log: never a secret. */
  target?: (input: I) => string;
  run(input: I, calls: PlatformCalls): Promise<Answer>;
}

/** Declares a tool with the type of its input. */
export const tool = <I extends object>(declared: Tool<I>): Tool => declared as unknown as Tool;
