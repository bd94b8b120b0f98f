import type { ErrorCode, FailureClass, Message, ToolCall } from '@signalbox/contracts';
import type { TaskChild } from '../model/capabilities.js';
import type { ModelStep } from '../model/conversation.js';
import type { NamedAction, Tool } from '../model/tools.js';

/** A model has to be asked. */
export interface AskModel {
  kind: 'model';
  step_no: number;
  messages: Message[];
  tools: Tool[];
  tool_choice?: { type: 'function'; function: { name: string } };
  model: string | null;
}
/** An action the model has chosen has to run, or to be refused. */
export interface RunAction {
  kind: 'action';
  step_no: number;
  call: ToolCall;
  chosen?: NamedAction;
  /** Why the call is not made. */
  refusal?: string;
}
/** A sub-agent has to be asked. */
export interface CallChild {
  kind: 'child';
  step_no: number;
  call: ToolCall;
  child: TaskChild;
  /** What it is asked, when that is not in the arguments of the call. */
  messages?: Message[];
}
/** Form fields have to be written. */
export interface WriteState {
  kind: 'state';
  step_no: number;
  call: ToolCall;
}
/** The rules have to say who answers. */
export interface Decide {
  kind: 'route';
}
/** The task has its answer. */
export interface Complete {
  kind: 'complete';
  message: Message;
  model: string;
  /** No model gave the answer, so nobody has looked whether it fits the response format. */
  unchecked?: boolean;
}
/** The task cannot get an answer. */
export interface Fail {
  kind: 'fail';
  failure_class: FailureClass;
  error_code: ErrorCode;
  message: string;
}

/** What a task does next. */
export type Next = AskModel | RunAction | CallChild | WriteState | Decide | Complete | Fail;

/** On a route to an action: the model fills in its arguments. */
export interface AskArguments {
  kind: 'ask';
  only: NamedAction;
}

/** On a route to an action: the model has answered in its place. */
export interface SubAgentRefusedError {
  kind: 'answered';
  step: ModelStep;
}

/** The end of a task whose work was not good enough. */
export const fail = (error_code: ErrorCode, message: string): Fail => ({
  kind: 'fail',
  failure_class: 'quality',
  error_code,
  message,
});
