import type { LogLevel } from '@signalbox/contracts';
import { abortable, storable, stripUnstorable } from '@signalbox/runs';
import { type AdmitResult, type ScriptHost, ScriptHostError } from '@signalbox/scripts';
import { EVENTS_DROPPED, judgeEvent, keptEntry, type LogSize } from './script-log.js';
import { FailedCall } from '../runs/index.js';
import { type CallDetails, admitBy, type HostContext } from './host-call.js';
import type { HostFunctions } from './host-functions.js';

export class RunHost implements ScriptHost {
  private readonly emitted: LogSize = { entries: 0, bytes: 0 };
  private readonly pending = new Set<Promise<unknown>>();

  constructor(
    private readonly context: HostContext,
    private readonly members: HostFunctions,
    private readonly logged: LogSize,
    /** Called when the platform failed to serve a call: the script must not handle that as its own exception. */
    private readonly failed: (error: unknown) => void,
  ) {}

  async call(member: string, args: unknown[], admit: AdmitResult): Promise<unknown> {
    const called = this.members.find(member);
    if (!called) throw new ScriptHostError('TypeError', `ctx.${member} does not exist`);
    const { signal } = this.context;
    signal.throwIfAborted();
    const details: CallDetails = {};
    const began = Date.now();
    const work = called.call(this.context, args, details, admitBy(admit, signal));
    this.pending.add(work);
    const settled = (): boolean => this.pending.delete(work);
    work.then(settled, settled);
    try {
      const result = await abortable(work, signal);
      this.record(member, details, began, 'SUCCESS');
      return result ?? null;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof FailedCall) this.context.failures.add(error);
      if (error instanceof ScriptHostError) this.record(member, { ...details, error: error.name }, began, 'ERROR');
      else this.failed(error);
      throw error;
    }
  }

  log(level: LogLevel, message: string, timestamp: number): void {
    const { secrets, writer } = this.context;
    // The runner cuts long messages, perhaps in the middle of a secret, and ends them with a mark.
    const entry = keptEntry(this.logged, { level, message: storable(secrets ? secrets.scrubCut(message) : message) });
    if (entry) writer.add({ event: { type: 'run.log', data: { ...entry, timestamp } } });
  }

  emit(event: unknown): void {
    const { run, secrets, writer } = this.context;
    if (run.mode !== 'stream') return;
    const verdict = judgeEvent(this.emitted, event);
    if (verdict === 'first-dropped') this.log('warn', EVENTS_DROPPED, Date.now());
    if (verdict !== 'send') return;
    writer.add({ event: { type: 'run.event', data: { event: stripUnstorable(event ?? null, secrets) } } });
  }

  /** Resolves when no call is running any more; calls are aborted with the execution. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.pending]);
  }

  private record(member: string, details: CallDetails, began: number, status: string): void {
    if (this.members.writesOwnTimeline(member)) return;
    const { secrets, writer } = this.context;
    const data = { member, about: stripUnstorable(details, secrets), status, duration_ms: Date.now() - began };
    writer.add({ timeline: { type: 'call', data } });
  }
}
