import { ApiError, chat, type ChatResult, executedRelease, parse } from '@signalbox/contracts';
import { stripUnstorable } from '@signalbox/runs';
import { ScriptHostError } from '@signalbox/scripts';
import type { RunningRun } from '../running-run.js';
import type { Usage } from '../usage.js';
import { hostError } from './failed-call.js';
import { type HostContext, nextNumber, objectArgument } from './host-call.js';

/** The fields of a request that the platform takes; the rest is sent to the provider as it is. */
const OWN_FIELDS = ['model', 'messages', 'tools', 'tool_choice', 'temperature', 'max_tokens', 'response_format'];
/** Fields of chat completions that have no meaning for a call of a run. */
const IGNORED = ['stream', 'stream_options', 'session_id', 'metadata', 'reference_id', 'application', 'intent'];

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
    readonly input: object,
  ) {}

  /** Checks a request; throws a TypeError that the script sees. */
  static begin(context: HostContext, request: unknown): ModelCall {
    const step = nextNumber(context, 'model');
    const given = stripUnstorable(objectArgument(request, 'the request'), context.secrets);
    return new ModelCall(context, step, inputOf(context.run, given));
  }

  get run(): RunningRun {
    return this.context.run;
  }

  /** The model that the request names, null for that of the application. */
  get model(): string | null {
    return (this.input as { model?: string | null }).model ?? null;
  }

  /** Records the answer and its usage. */
  answered({ model, request_id, usage, finish_reason }: ChatResult): void {
    this.record({ model, request_id }, { usage, finish_reason }, usage);
  }

  /** Records a failure; returns the exception that the script sees. */
  failed(error: unknown): unknown {
    const failure_class = error instanceof ApiError && error.kind === 'timeout' ? 'timeout' : 'provider';
    this.record({ model: this.model, request_id: null }, { usage: null, finish_reason: null, failure_class });
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

function inputOf(run: RunningRun, request: Record<string, unknown>): object {
  const given = Object.entries(request).filter(([name, value]) => !IGNORED.includes(name) && value !== undefined);
  const own = given.filter(([name]) => OWN_FIELDS.includes(name));
  const parameters = Object.fromEntries(given.filter(([name]) => !OWN_FIELDS.includes(name)));
  const fields = {
    ...Object.fromEntries(own),
    application_id: run.application_id,
    session_id: run.session_id,
    request_type: requestTypeOf(run),
    origin: 'WORKFLOW',
    origin_id: run.id,
    workflow_id: run.workflow_id,
    ...executedRelease('workflow', run.workflow_id, run.release),
    metadata: { run_id: run.id, workflow_id: run.workflow_id },
    ...(Object.keys(parameters).length > 0 ? { parameters } : {}),
  };
  try {
    return parse(chat.endpoints.complete.input, fields);
  } catch (error) {
    throw error instanceof ApiError ? new ScriptHostError('TypeError', error.message, 400) : error;
  }
}
