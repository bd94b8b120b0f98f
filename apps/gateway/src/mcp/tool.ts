import type { Class, Scope } from '@signalbox/contracts';
import type { Answer } from './answer.js';
import type { PlatformCalls } from './platform-calls.js';

export interface Tool<I extends object = object> {
  name: string;
  /** Read by the model that chooses among the tools. */
  description: string;
  /** Without this scope the tool is neither listed nor called. */
  scope: Scope;
  input: Class<I>;
  /** What a call names, for the audit log; must not contain secrets. */
  target?: (input: I) => string;
  run(input: I, calls: PlatformCalls): Promise<Answer>;
}

export const tool = <I extends object>(declared: Tool<I>): Tool => declared as unknown as Tool;
