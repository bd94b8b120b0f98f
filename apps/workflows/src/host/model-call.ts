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

/** Parameters with fields of their own in calls of the traffic service; others are passed on to the provider. */
const NAMED = ['model', 'messages', 'tools', 'tool_choice', 'temperature', 'max_tokens', 'response_format'] as const;
/** For the platform; never sent to a provider. */
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
/** Neither of both; `stream` is implied by the function called. */
const OTHERS = ['session_id', 'metadata', 'stream', 'stream_options'] as const;

/** Requests of test runs and monitors are not production traffic; nested runs count as their root. */
const requestTypeOf = ({ root_trigger }: RunningRun): 'PROD' | 'SYNTHETIC' =>
  root_trigger === 'TEST' || root_trigger === 'MONITOR' ? 'SYNTHETIC' : 'PROD';

export class ModelCall {
  private readonly began = Date.now();
  /** Only the first end is recorded: a script may close a stream after its complete answer. */
  private isRecorded = false;

  private constructor(
    private readonly context: HostContext,
    readonly step: number,
    readonly input: ChatCall,
    readonly asksStream: boolean,
    /** For an agent or a workflow that answers in place of a model. */
    readonly chain: Chain,
  ) {}

  /** Throws a TypeError for the script. */
  static begin(context: HostContext, request: unknown): ModelCall {
    const step = nextNumber(context, 'model');
    const { secrets, ...body } = objectArgument(request, 'the request');
    // Values of secrets are for the agent or workflow that answers, and must not be stored anywhere else.
    const whole = { ...stripUnstorable(body, context.secrets), ...(secrets == null ? {} : { secrets }) };
    const parsed = requestOf(whole);
    return new ModelCall(context, step, callOf(context.run, parsed), parsed.stream === true, chainOfModel(context));
  }

  get run(): RunningRun {
    return this.context.run;
  }

  /** Null for the default of the application. */
  get model(): string | null {
    return this.input.model ?? null;
  }

  answered({ model, request_id, usage, finish_reason }: ChatResult): void {
    this.record({ model, request_id }, { usage, finish_reason }, usage);
  }

  /** Returns the exception for the script. */
  failed(error: unknown): unknown {
    const failure_class = error instanceof ApiError && error.kind === 'timeout' ? 'timeout' : 'provider';
    const called = { model: this.model, request_id: requestIdOf(error) };
    // An agent or a workflow that failed has a cost too.
    const usage = error instanceof ApiError ? error.extras.usage : undefined;
    this.record(called, { usage: usage ?? null, finish_reason: null, failure_class }, usage);
    return hostError(error, 'ProviderError');
  }

  abandoned(): void {
    this.record({ model: this.model, request_id: null }, { usage: null, finish_reason: null });
  }

  private record(called: { model: string | null; request_id: string | null }, answered: object, usage?: Usage): void {
    if (this.isRecorded) return;
    this.isRecorded = true;
    const { writer, recorded } = this.context;
    const { step, began } = this;
    if (called.request_id !== null && this.input.session_id === this.run.session_id) recorded.add(called.request_id);
    writer.add({ timeline: { type: 'model_called', data: { step, ...called } }, at: began });
    const data = { step, ...answered, duration_ms: Date.now() - began };
    writer.add({ timeline: { type: 'model_answered', data } }, usage);
  }
}

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

/** Scope, session and attribution are those of the run unless the request names them. */
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
