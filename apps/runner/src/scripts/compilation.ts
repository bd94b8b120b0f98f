import { ApiError, type CompiledScript, type ScriptEntry } from '@signalbox/contracts';
import type { Frame, FromChild } from '../child/index.js';
import { type Breach, type ChildExit, type ChildListener, type ScriptChild, Watchdog } from '../pool/index.js';

/** Far above what a parser needs: a script that takes more is an attack. */
const LIMITS = { cpuMs: 10_000, rssBytes: 512 * 1024 * 1024 };

const notCompiled = (message: string): CompiledScript => ({ problems: [{ message }], has_transform_session: false });

const BREACHES: Record<Breach, CompiledScript | ApiError> = {
  cpu: notCompiled('the script takes too long to compile'),
  memory: notCompiled('the script needs too much memory to compile'),
  wall: new ApiError('timeout', 'the script was not compiled in time'),
};

/** An operator, the system or a stop has killed the process: that says nothing about the script. */
const KILLED = new ApiError('unavailable', 'the compiler was killed from outside', { retryAfter: 1 });

export interface Sources {
  language: string;
  script: string;
  transform_session?: string;
  entry?: ScriptEntry;
}

/**
 * `isReusable` is false when the process has to be replaced. Of the limits only processor time and memory count against
 * the script; `compiled` is an error when nothing is known about it.
 */
export function compileIn(
  child: ScriptChild,
  { language, script, transform_session: second, entry = 'execute' }: Sources,
  deadline: number,
): Promise<{ compiled: CompiledScript | ApiError; isReusable: boolean }> {
  return new Promise((resolve) => {
    const end = (compiled: CompiledScript | ApiError, isReusable: boolean): void => {
      watchdog.stop();
      resolve({ compiled, isReusable });
    };
    const limits = { ...LIMITS, wallMs: Math.max(0, deadline - Date.now()), yields: false };
    const watchdog = new Watchdog(child, limits, (breach) => end(BREACHES[breach], false));
    const listener: ChildListener = {
      frame({ head, body }: Frame<FromChild>): void {
        if (head.kind === 'compiled') end(JSON.parse(body) as CompiledScript, true);
      },
      exited: ({ isKilled }: ChildExit) =>
        end(isKilled ? KILLED : notCompiled('the script crashed its compiler'), false),
    };
    child.listen(listener);
    const has_second = second !== undefined && second !== '';
    child.send({ kind: 'compile', language, entry, script_length: script.length, has_second }, script + (second ?? ''));
  });
}
