import { useRef } from 'preact/hooks';
import type { ScriptProblem } from '@signalbox/sdk';
import type { CodeProblem } from './editor.js';

export const hasLine = (problem: ScriptProblem): problem is ScriptProblem & CodeProblem => problem.line !== undefined;

/** The same array while its items are equal, so that effects run only on changes. */
export function useStable<T>(items: T[]): T[] {
  const kept = useRef(items);
  if (JSON.stringify(kept.current) !== JSON.stringify(items)) kept.current = items;
  return kept.current;
}

export function Problems({ problems, reveal }: { problems: readonly ScriptProblem[]; reveal: (line: number) => void }) {
  if (problems.length === 0) return null;
  return (
    <ul class="problems" aria-label="Problems" role="list">
      {problems.map(({ line, column, message }, n) => (
        <li key={n}>
          {line === undefined ? (
            message
          ) : (
            <button type="button" class="plain" onClick={() => reveal(line)}>
              <b>
                line {line}
                {column === undefined ? '' : `, column ${column}`}
              </b>{' '}
              {message}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}
