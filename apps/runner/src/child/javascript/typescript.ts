import type { ScriptProblem } from '@signalbox/contracts';
import { shortened } from '../language.js';

interface StripError {
  /** Of every problem that the compiler reports. */
  code?: string;
  message: string;
  startLine?: number;
  startColumn?: number;
}

/**
 * Replaces types by spaces, so that lines and columns stay the same. Syntax with a meaning at run time, such as `enum`,
 * is refused. The compiler is loaded when the first script needs it.
 */
export async function stripTypes(script: string): Promise<string | ScriptProblem> {
  const { transformSync } = await import('@swc/wasm-typescript');
  try {
    return transformSync(script, { mode: 'strip-only', module: true }).code;
  } catch (error) {
    const { code, message, startLine, startColumn } = error as StripError;
    // Its stack was too small: it would refuse every later script, so this process has to end.
    if (code === undefined) throw error;
    const position = startLine === undefined ? {} : { line: startLine, column: (startColumn ?? 0) + 1 };
    return { ...position, message: shortened(message.replace(' in strip-only mode', '')) };
  }
}
