import {
  ApiError,
  type Chain,
  type ChatCall,
  type ChatResult,
  CompletionCall,
  executedRelease,
  parse,
  type Usage,
} from '@signalbox/contracts';
import { stripUnstorable } from '@signalbox/runs';
import { requestIdOf } from '@signalbox/runs/rules';
import { ScriptHostError } from '@signalbox/scripts';
import { hostError, type RunningRun } from '../runs/index.js';
import { chainOfModel, type HostContext, nextNumber, objectArgument } from './host-call.js';

/** The parameters that a call of another service names itself; the further ones are sent to the provider as they are. */
const NAMED = ['model', 'messages', 'tools', 'tool_choice', 'temperature', 'max_tokens', 'response_format'] as const;
/** What the platform does with a request; never sent to a provider. */
const HANDLING = [
  'application',
  'intent',
  'reference_id',
  'evaluation_enabled',
  'apply_corrections',
  'safe_mode',
  'fallback_config',
  'return_evaluation',
  'input',
  'secrets',
] as const;
/** Fields that are neither; `stream` says no more than the function that was called. */
const OTHERS = ['session_id', 'metadata', 'stream', 'stream_options'] as const;

/** Requests of test runs and monitors are not production traffic; nested runs count as their root. */
const requestTypeOf = ({ root_trigger }: RunningRun): 'PROD' | 'SYNTHETIC' =>
  root_trigger === 'TEST' || root_trigger === 'MONITOR' ? 'SYNTHETIC' : 'PROD';

/** One call of a model by a run: its request, and its two entries on the timeline. */
export class ModelCall {
  private readonly began = Date.now();
  /** The end that was recorded first counts: a script may close a stream whose answer is complete. */
  private isRecorded = false;

  private constructor(
    private readonly context: HostContext,
    /** The number of the call within the execution. */
    readonly step: number,
    readonly input: ChatCall,
    readonly asksStream: boolean,
    /** The chain of an agent or a workflow that answers in place of a model. */
    readonly chain: Chain,
  ) {}

  /** Checks a request; throws a TypeError that the script sees. */
  static begin(context: HostContext, request: unknown): ModelCall {
    const step = nextNumber(context, 'model');
    const { secrets, ...body } = objectArgument(request, 'the request');
    // The values of secrets are for the agent or workflow that answers, and in nothing else that is stored.
    const whole = { ...stripUnstorable(body, context.secrets), ...(secrets == null ? {} : { secrets }) };
    const parsed = requestOf(whole);
    return new ModelCall(context, step, callOf(context.run, parsed), parsed.stream === true, chainOfModel(context));
  }

  get run(): RunningRun {
    return this.context.run;
  }

  /** The model that the request names, null for that of the application. */
  get model(): string | null {
    return this.input.model ?? null;
  }

  /** Records the answer and its usage. */
  answered({ model, request_id, usage, finish_reason }: ChatResult): void {
    this.record({ model, request_id }, { usage, finish_reason }, usage);
  }

  /** Records a failure; returns the exception that the script sees. */
  failed(error: unknown): unknown {
    const failure_class = error instanceof ApiError && error.kind === 'timeout' ? 'timeout' : 'provider';
    const called = { model: this.model, request_id: requestIdOf(error) };
    this.record(called, { usage: null, finish_reason: null, failure_class });
    return hostError(error, 'ProviderError');
  }

  /** Records that the script did not read the answer to its end. */
  abandoned(): void {
    this.record({ model: this.model, request_id: null }, { usage: null, finish_reason: null });
  }

  private record(called: object, answered: object, usage?: Usage): void {
    if (this.isRecorded) return;
    this.isRecorded = true;
    const { writer } = this.context;
    const { step, began } = this;
    writer.add({ timeline: { type: 'model_called', data: { step, ...called } }, at: began });
    const data = { step, ...answered, duration_ms: Date.now() - began };
    writer.add({ timeline: { type: 'model_answered', data } }, usage);
  }
}

/** The body of a chat completion as a script gives it. */
function requestOf(given: Record<string, unknown>): CompletionCall {
  try {
    const { $rest, ...request } = parse(CompletionCall, given);
    const unknown = Object.keys($rest ?? {});
    if (unknown.length > 0) throw new ScriptHostError('TypeError', `${unknown.join(', ')} is not a known field`, 400);
    return request;
  } catch (error) {
    throw error instanceof ApiError ? new ScriptHostError('TypeError', error.message, 400) : error;
  }
}

const given = <T extends object>(value: T, names: readonly (keyof T & string)[]): Partial<T> =>
  Object.fromEntries(names.filter((name) => value[name] != null).map((name) => [name, value[name]])) as Partial<T>;

/** The call of a run: its own scope, session and attribution where the request names none. */
function callOf(run: RunningRun, request: CompletionCall): ChatCall {
  const own: readonly string[] = [...NAMED, ...HANDLING, ...OTHERS];
  const parameters = Object.fromEntries(
    Object.entries(request).filter(([name, value]) => !own.includes(name) && value != null),
  );
  return {
    ...(given(request, [...NAMED, ...HANDLING]) as Pick<CompletionCall, 'messages'>),
    application_id: run.application_id,
    session_id: request.session_id ?? run.session_id,
    request_type: requestTypeOf(run),
    origin: 'WORKFLOW',
    origin_id: run.id,
    workflow_id: run.workflow_id,
    ...executedRelease('workflow', run.workflow_id, run.release),
    metadata: { ...request.metadata, run_id: run.id, workflow_id: run.workflow_id },
    with_completion: true,
    ...(Object.keys(parameters).length > 0 ? { parameters } : {}),
  };
}
