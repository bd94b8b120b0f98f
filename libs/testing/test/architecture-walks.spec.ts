import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../src/index.js';

// The walks along the code name files, classes and functions, and stay true by this test.

const FOLDER = join(ROOT, 'docs/architecture');
const PATH = /^(?:apps|libs|tools|test|docs)\/[\w./-]+$/;
const NAME = /^([A-Za-z_]\w*)(?:\.([a-z]\w*))?$/;
const PARTICIPANT = /^ *participant \w+ as (\w+)/gm;

const sourceOf = (path: string): string =>
  statSync(path).isDirectory()
    ? readdirSync(path, { recursive: true, encoding: 'utf8' })
        .filter((file) => /^(?!.*node_modules).*\.ts$/.test(file))
        .map((file) => readFileSync(join(path, file), 'utf8'))
        .join('\n')
    : readFileSync(path, 'utf8');

const isDeclared = (source: string, name: string, member?: string): boolean =>
  new RegExp(`\\b(?:class|function|const|interface|type) ${name}\\b`).test(source) &&
  (member === undefined || new RegExp(`^ +(?:(?:async|static|readonly|get|private) )*${member}\\b`, 'm').test(source));

/** What a walk names and the code does not have. A name of one small word may be a value that a mentioned file has. */
function missingIn(text: string): string[] {
  const spans = [...text.replace(/```[^]*?```/g, '').matchAll(/`([^`]+)`/g)].map(([, span = '']) => span);
  const paths = spans.filter((span) => PATH.test(span));
  const found = paths.filter((path) => existsSync(join(ROOT, path)));
  const sources = found.map((path) => sourceOf(join(ROOT, path)));
  const participants = [...text.matchAll(PARTICIPANT)]
    .map(([, name = '']) => name)
    .filter((name) => /[A-Z]/.test(name));
  const unknown = [...spans, ...participants].filter((span) => {
    const [, name, member] = NAME.exec(span) ?? [];
    if (name === undefined) return false;
    const isIdentifier = /[a-z][A-Z]|^[A-Z][a-z]/.test(name);
    return !sources.some((source) =>
      isIdentifier ? isDeclared(source, name, member) : new RegExp(`\\b${span}\\b`).test(source),
    );
  });
  return [...paths.filter((path) => !found.includes(path)), ...unknown];
}

describe('the walks along the code', () => {
  it.each(['life-of-a-task.md', 'life-of-a-test-run.md'])('name only what the code has: %s', (file) => {
    expect(missingIn(readFileSync(join(FOLDER, file), 'utf8'))).toEqual([]);
  });

  it('would not name a file, class or method that is gone', () => {
    const text =
      '`apps/agents/src/gone.ts` `TaskLoop` `TaskLoop.fly` `TaskFlight` `apps/agents/src/task-loop/task-loop.ts`';
    expect(missingIn(text)).toEqual(['apps/agents/src/gone.ts', 'TaskLoop.fly', 'TaskFlight']);
  });
});
