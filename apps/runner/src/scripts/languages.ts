import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { LanguageSupport, ScriptLanguage } from '@signalbox/contracts';
import { type ChildKind, reportsUsage } from '../pool/index.js';

/** The interpreter of a language. */
export const kindOf = (language: ScriptLanguage): ChildKind => (language === 'python' ? 'python' : 'javascript');

/**
 * The version of Python that is installed; null without one, and on a system that does not report the memory of
 * processes: the memory of this interpreter has no other bound.
 */
function pythonVersion(): string | null {
  if (!reportsUsage()) return null;
  try {
    const { resolve } = createRequire(import.meta.url);
    const { info } = JSON.parse(readFileSync(resolve('pyodide/pyodide-lock.json'), 'utf8')) as {
      info: { python: string };
    };
    return info.python;
  } catch {
    return null;
  }
}

/** The languages by what is installed. */
export function supportedLanguages(): LanguageSupport[] {
  const python = pythonVersion();
  return [
    { language: 'javascript', available: true, version: 'ES2023' },
    { language: 'typescript', available: true, version: 'ES2023' },
    { language: 'python', available: python !== null, version: python },
  ];
}
