import type { ErrorCode, FailureClass, Message, ToolCall } from '@signalbox/contracts';
import type { TaskChild } from '../../sub-agents/index.js';
import type { ModelStep } from '../model/conversation.js';
import type { NamedAction, Tool } from '../../actions/index.js';

export interface AskModel {
  kind: 'model';
  step_no: number;
  messages: Message[];
  tools: Tool[];
  tool_choice?: { type: 'function'; function: { name: string } };
  model: string | null;
}
export interface RunAction {
  kind: 'action';
  step_no: number;
  call: ToolCall;
  chosen?: NamedAction;
  refusal?: string;
}
export interface CallChild {
  kind: 'child';
  step_no: number;
  call: ToolCall;
  child: TaskChild;
  /** Present when the input is not in the arguments of the call. */
  messages?: Message[];
}
export interface WriteState {
  kind: 'state';
  step_no: number;
  call: ToolCall;
}
export interface Decide {
  kind: 'route';
}
export interface Complete {
  kind: 'complete';
  message: Message;
  model: string;
  /** The answer has not been validated against the response format. */
  unchecked?: boolean;
}
export interface Fail {
  kind: 'fail';
  failure_class: FailureClass;
  /** Null when the class says it all. */
  error_code: ErrorCode | null;
  message: string;
  /** The recorded request of the model call that failed. */
  request_id?: string | null;
}

export type Next = AskModel | RunAction | CallChild | WriteState | Decide | Complete | Fail;

/** On a route to an action: call the model to fill in its arguments. */
export interface AskArguments {
  kind: 'ask';
  only: NamedAction;
}

/** On a route to an action: the model has answered instead of filling in arguments. */
export interface ModelAnswered {
  kind: 'answered';
  step: ModelStep;
  only: NamedAction;
}

export const fail = (error_code: ErrorCode, message: string): Fail => ({
  kind: 'fail',
  failure_class: 'quality',
  error_code,
  message,
});
