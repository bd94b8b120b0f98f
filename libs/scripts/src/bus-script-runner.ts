import { type BusClient, type BusConnection, linesOf, serviceCaller } from '@signalbox/bus';
import {
  ApiError,
  type Caller,
  type CompiledScript,
  type LanguageSupport,
  type ScriptEntry,
  type ScriptLanguage,
  scripts,
} from '@signalbox/contracts';
import { HostCallMemory, HostCalls } from './host-calls.js';
import { BadScriptValue, parseScriptValue, REPORT_MS, type ResultLine, type ScriptLine } from './script-lines.js';
import { type ScriptExecution, type ScriptHost, ScriptRunner, type ScriptResult } from './script-runner.js';

const { compileScript, executeScript, listLanguages } = scripts.endpoints;

const LANGUAGES_MS = 30_000;
/** Time for a child process to become free, and for the result to arrive after the time limit. */
const AROUND_EXECUTION_MS = 90_000 + REPORT_MS;

const NO_COMPANY = 0;

export class BusScriptRunner extends ScriptRunner {
  /** Open executions; aborted when the connection is lost, perhaps with their lines or replies. */
  private readonly open = new Set<AbortController>();
  private readonly memory = new HostCallMemory();

  constructor(
    private readonly bus: BusClient,
    private readonly connection: BusConnection,
  ) {
    super();
    connection.onReconnect(() => {
      for (const each of this.open) each.abort();
    });
  }

  override compile(
    { companyId, deadline }: Pick<Caller, 'companyId' | 'deadline'>,
    language: ScriptLanguage,
    script: string,
    { transform_session, entry }: { transform_session?: string | undefined; entry?: ScriptEntry } = {},
  ): Promise<CompiledScript> {
    const second = transform_session === undefined ? {} : { transform_session };
    const input = { language, script, ...second, ...(entry === undefined ? {} : { entry }) };
    return this.bus.call(compileScript, input, serviceCaller(companyId, deadline));
  }

  override languages(): Promise<LanguageSupport[]> {
    return this.bus.call(listLanguages, {}, serviceCaller(NO_COMPANY, Date.now() + LANGUAGES_MS));
  }

  override async execute(execution: ScriptExecution, host: ScriptHost, signal: AbortSignal): Promise<ScriptResult> {
    const interrupted = new AbortController();
    this.open.add(interrupted);
    try {
      const result = await this.follow(execution, host, AbortSignal.any([signal, interrupted.signal]));
      const isCut = interrupted.signal.aborted || !this.connection.isUp;
      return result.status === 'lost' && isCut ? { ...result, is_outage: true } : result;
    } finally {
      this.open.delete(interrupted);
    }
  }

  private async follow(execution: ScriptExecution, host: ScriptHost, signal: AbortSignal): Promise<ScriptResult> {
    const { company_id, argument, ...call } = execution;
    if (signal.aborted) return aborted;
    const caller = serviceCaller(company_id, Date.now() + call.limits.timeout_ms + AROUND_EXECUTION_MS);
    const input = { ...call, argument: JSON.stringify(argument) ?? 'null' };
    let calls: HostCalls | undefined;
    try {
      const reply = await this.bus.stream(executeScript, input, caller, signal);
      for await (const line of linesOf<ScriptLine>(reply.chunks)) {
        if ('started' in line && calls) await calls.told(line);
        else if ('started' in line)
          calls = new HostCalls(host, execution, line.started, this.connection, this.memory, signal);
        else if ('call' in line) await calls?.answer(line.call, line.member, line.args);
        else if ('log' in line) host.log(line.log.level, line.log.message, line.log.timestamp);
        else if ('emit' in line) host.emit(parseScriptValue(line.emit));
        else return resultOf(line.result);
      }
      return aborted;
    } catch (error) {
      if (error instanceof BadScriptValue) return sandboxFailure(`an event of the script ${error.message}`);
      if (!(error instanceof ApiError)) throw error;
      if (signal.aborted) return aborted;
      if (calls !== undefined) return { status: 'lost', message: error.message };
      // Both would be refused at each attempt.
      if (error.kind === 'refused') return sandboxFailure(error.message);
      if (isTooLarge(error)) return sandboxFailure(`the input of the script is too large: ${error.message}`);
      throw notStarted(error);
    } finally {
      calls?.close();
    }
  }
}

const aborted: ScriptResult = { status: 'lost', message: 'the execution was aborted' };

/** Nothing ran, so the caller may start it again at any time. */
const notStarted = (error: ApiError): ApiError =>
  error.kind === 'timeout' ? new ApiError('unavailable', 'no runner could start the script', { retryAfter: 5 }) : error;

/** For its contract, or with its quotes escaped for the bus. */
const isTooLarge = ({ kind, extras: { details = [] } }: ApiError): boolean =>
  kind === 'too_large' || details.some(({ field }) => field === 'argument');

const sandboxFailure = (message: string, cpu_ms = 0): ScriptResult => ({
  status: 'failed',
  error_code: 'sandbox',
  message,
  cpu_ms,
});

function resultOf(line: ResultLine): ScriptResult {
  if (line.status !== 'completed') return line;
  try {
    return { ...line, output: parseScriptValue(line.output) };
  } catch (error) {
    return sandboxFailure(`the output of the script ${(error as Error).message}`, line.cpu_ms);
  }
}
