import type { LanguageSupport, ScriptLanguage } from '@signalbox/contracts';
import type { ChildKind } from '../pool/script-child.js';

/** The interpreter of a language. */
export const kindOf = (language: ScriptLanguage): ChildKind => (language === 'python' ? 'python' : 'javascript');

/** Languages by what is installed. */
export function supportedLanguages(): LanguageSupport[] {
  return [
    { language: 'javascript', available: true, version: 'ES2023' },
    { language: 'typescript', available: true, version: '5' },
    { language: 'python', available: false, version: null },
  ];
}
