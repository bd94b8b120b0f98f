import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { LanguageSupport, ScriptLanguage } from '@signalbox/contracts';
import { type ChildKind, reportsUsage } from '../pool/index.js';

export const kindOf = (language: ScriptLanguage): ChildKind => (language === 'python' ? 'python' : 'javascript');

/**
 * Null without an installed Python, and where the system does not report the memory of processes: nothing else would
 * bound the memory of this interpreter.
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

export function supportedLanguages(): LanguageSupport[] {
  const python = pythonVersion();
  return [
    { language: 'javascript', available: true, version: 'ES2023' },
    { language: 'typescript', available: true, version: 'ES2023' },
    { language: 'python', available: python !== null, version: python },
  ];
}
