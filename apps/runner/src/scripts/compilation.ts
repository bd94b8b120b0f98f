import type { CompiledScript, ScriptEntry } from '@signalbox/contracts';
import type { Frame, FromChild } from '../child/index.js';
import { type Breach, type ChildListener, type ScriptChild, Watchdog } from '../pool/index.js';

/** A parser needs far less; what takes more is an attack. */
const LIMITS = { cpuMs: 10_000, rssBytes: 512 * 1024 * 1024 };

const notCompiled = (message: string): CompiledScript => ({ problems: [{ message }], has_transform_session: false });

/** What is said of a script whose compilation was stopped. */
const refusals: Record<Breach, CompiledScript | null> = {
  cpu: notCompiled('the script takes too long to compile'),
  memory: notCompiled('the script needs too much memory to compile'),
  wall: null,
};

/** The scripts of a workflow in one language. */
export interface Sources {
  language: string;
  script: string;
  /** The separate script of `transform_session`. */
  transform_session?: string;
  entry?: ScriptEntry;
}

/**
 * Compiles scripts in a child process; `isReusable` is false when the process has to be replaced. Only the processor time
 * is limited: `compiled` is null when the compilation had not ended at the deadline, which says nothing of the script.
 */
export function compileIn(
  child: ScriptChild,
  { language, script, transform_session: second, entry = 'execute' }: Sources,
  deadline: number,
): Promise<{ compiled: CompiledScript | null; isReusable: boolean }> {
  return new Promise((resolve) => {
    const end = (compiled: CompiledScript | null, isReusable: boolean): void => {
      watchdog.stop();
      resolve({ compiled, isReusable });
    };
    const limits = { ...LIMITS, wallMs: Math.max(0, deadline - Date.now()), yields: false };
    const watchdog = new Watchdog(child, limits, (breach) => end(refusals[breach], false));
    const listener: ChildListener = {
      frame({ head, body }: Frame<FromChild>): void {
        if (head.kind === 'compiled') end(JSON.parse(body) as CompiledScript, true);
      },
      exited: () => end(notCompiled('the script crashed its compiler'), false),
    };
    child.listen(listener);
    const has_second = second !== undefined && second !== '';
    child.send({ kind: 'compile', language, entry, script_length: script.length, has_second }, script + (second ?? ''));
  });
}
