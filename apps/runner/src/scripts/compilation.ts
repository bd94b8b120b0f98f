import type { CompiledScript } from '@signalbox/contracts';
import type { Frame, FromChild } from '../child/frames.js';
import type { ChildListener, ScriptChild } from '../pool/script-child.js';
import { Watchdog } from '../pool/watchdog.js';

/** A parser needs far less; what takes longer is an attack. */
const LIMITS = { wallMs: 10_000, cpuMs: 10_000, rssBytes: 512 * 1024 * 1024 };

const notCompiled = (message: string): CompiledScript => ({ problems: [{ message }], has_transform_session: false });

/** The scripts of a workflow in one language. */
export interface Sources {
  language: string;
  script: string;
  /** The separate script of `transform_session`. */
  transform_session?: string;
}

/** Compiles scripts in a child process; `isReusable` is false when the process has to be replaced. */
export function compileIn(
  child: ScriptChild,
  { language, script, transform_session: second }: Sources,
): Promise<{ compiled: CompiledScript; isReusable: boolean }> {
  return new Promise((resolve) => {
    const end = (compiled: CompiledScript, isReusable: boolean): void => {
      watchdog.stop();
      resolve({ compiled, isReusable });
    };
    const watchdog = new Watchdog(child, LIMITS, () => end(notCompiled('the script takes too long to compile'), false));
    const listener: ChildListener = {
      frame({ head, body }: Frame<FromChild>): void {
        if (head.kind === 'compiled') end(JSON.parse(body) as CompiledScript, true);
      },
      exited: () => end(notCompiled('the script crashed its compiler'), false),
    };
    child.listen(listener);
    const has_second = second !== undefined && second !== '';
    child.send({ kind: 'compile', language, script_length: script.length, has_second }, script + (second ?? ''));
  });
}
