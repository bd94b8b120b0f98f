import { diffLines } from 'diff';

/** With its number on either side; a gap stands for equal lines that are not shown. */
export interface DiffLine {
  kind: 'same' | 'added' | 'removed' | 'gap';
  text: string;
  from?: number;
  to?: number;
}

/** Equal lines around a change. */
const CONTEXT = 3;

const linesOf = (text: string): string[] => text.replace(/\n$/, '').split('\n');

export function diffOf(before: string, after: string): DiffLine[] {
  let from = 1;
  let to = 1;
  const lines = diffLines(before, after).flatMap(({ value, added, removed }) =>
    linesOf(value).map((text): DiffLine => {
      if (added) return { kind: 'added', text, to: to++ };
      if (removed) return { kind: 'removed', text, from: from++ };
      return { kind: 'same', text, from: from++, to: to++ };
    }),
  );
  const changed = lines.flatMap(({ kind }, n) => (kind === 'same' ? [] : [n]));
  return changed.length === 0 ? [] : folded(lines, changed);
}

function folded(lines: readonly DiffLine[], changed: readonly number[]): DiffLine[] {
  const shown = new Set(
    changed.flatMap((n) => Array.from({ length: 2 * CONTEXT + 1 }, (_, near) => n - CONTEXT + near)),
  );
  const result: DiffLine[] = [];
  let hidden = 0;
  const fold = (): void => {
    if (hidden > 0) result.push({ kind: 'gap', text: `${hidden} equal ${hidden === 1 ? 'line' : 'lines'}` });
    hidden = 0;
  };
  lines.forEach((line, n) => {
    if (!shown.has(n)) return void hidden++;
    fold();
    result.push(line);
  });
  fold();
  return result;
}

export function sizeOf(lines: readonly DiffLine[]): string {
  const count = (kind: DiffLine['kind']): number => lines.filter((line) => line.kind === kind).length;
  return lines.length === 0 ? 'no difference' : `${count('added')} added, ${count('removed')} removed`;
}
