import type { CompiledScript, ScriptEntry, ScriptProblem } from '@signalbox/contracts';
import { type Node, parse, type Program } from 'acorn';
import { shortened } from '../language.js';

/** `code` exports the functions that are called from outside. */
export interface CompiledModule {
  code: string;
  problems: ScriptProblem[];
  functions: ReadonlySet<string>;
}

/** Functions that are called from outside, by the entry of the script. */
const CALLED: Readonly<Record<ScriptEntry, readonly string[]>> = {
  execute: ['execute', 'transform_session'],
  transform_session: ['execute', 'transform_session'],
  score: ['score'],
};

/** Lines and columns of problems are those of the given text. */
export function compileModule(source: string, entry: ScriptEntry): CompiledModule {
  const found: FoundFunction[] = [];
  try {
    const program = parse(source, { ecmaVersion: 'latest', sourceType: 'module', locations: true });
    const problems = importProblems(program);
    for (const statement of program.body) found.push(...declared(statement));
    const functions = new Set(found.map(({ name }) => name).filter((name) => CALLED[entry].includes(name)));
    if (!functions.has(entry)) problems.push({ message: `the script has no top-level function ${entry}` });
    problems.push(...generatorProblems(found.filter(({ name }) => functions.has(name))));
    const exported = new Set(program.body.flatMap(exportedNames));
    const missing = [...functions].filter((name) => !exported.has(name));
    const exports = missing.length > 0 ? `\nexport { ${missing.join(', ')} };` : '';
    return { code: source + exports, problems, functions };
  } catch (error) {
    return { code: source, problems: [parseProblem(error)], functions: new Set() };
  }
}

export function compileScripts(script: CompiledModule, second: CompiledModule | null): CompiledScript {
  const later = (second?.problems ?? []).map((each) => ({ ...each, message: `transform_session: ${each.message}` }));
  const hasTransform = (second ?? script).functions.has('transform_session');
  return { problems: [...script.problems, ...later], has_transform_session: hasTransform };
}

interface FoundFunction {
  name: string;
  at: Node;
  isGenerator: boolean;
}

/** A call of a generator returns at once, without running any of its code. */
const generatorProblems = (found: readonly FoundFunction[]): ScriptProblem[] =>
  found
    .filter(({ isGenerator }) => isGenerator)
    .map(({ name, at }) => ({ ...positionOf(at.loc?.start), message: `${name} must not be a generator` }));

interface Declaration extends Node {
  declaration?: Declaration | null;
  declarations?: { id: Node & { name?: string }; init?: (Node & { generator?: boolean }) | null }[];
  id?: { name: string } | null;
  generator?: boolean;
  specifiers?: { exported: { name?: string; value?: unknown } }[];
  source?: unknown;
}

function declared(statement: Node): FoundFunction[] {
  const { type, declaration, declarations, id, generator } = statement as Declaration;
  if (type === 'ExportNamedDeclaration' || type === 'ExportDefaultDeclaration')
    return declaration ? declared(declaration) : [];
  if (type === 'FunctionDeclaration')
    return id ? [{ name: id.name, at: statement, isGenerator: generator === true }] : [];
  if (type !== 'VariableDeclaration') return [];
  return (declarations ?? []).flatMap((each) =>
    each.id.name === undefined ? [] : [{ name: each.id.name, at: each.id, isGenerator: each.init?.generator === true }],
  );
}

function exportedNames(statement: Node): string[] {
  const { type, declaration, specifiers } = statement as Declaration;
  if (type !== 'ExportNamedDeclaration') return [];
  if (declaration) return declared(declaration).map(({ name }) => name);
  return (specifiers ?? []).map(({ exported }) => exported.name ?? String(exported.value));
}

const IMPORTS = new Set(['ImportDeclaration', 'ImportExpression', 'ExportAllDeclaration']);

/** Iterates rather than recurses, because only the parser limits the nesting of a script. */
function importProblems(program: Program): ScriptProblem[] {
  const problems: ScriptProblem[] = [];
  const open: unknown[] = [program];
  while (open.length > 0 && problems.length < 100) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    const { type, source, loc } = value as Node & { source?: unknown };
    if (IMPORTS.has(type) || (type === 'ExportNamedDeclaration' && source))
      problems.push({ ...positionOf(loc?.start), message: 'a script cannot import anything' });
    for (const child of Object.values(value)) if (typeof child === 'object' && child !== null) open.push(child);
  }
  return problems.sort((one, other) => (one.line ?? 0) - (other.line ?? 0));
}

const positionOf = (start: { line: number; column: number } | undefined): { line?: number; column?: number } =>
  start ? { line: start.line, column: start.column + 1 } : {};

/** Moves the position, with columns from 0, out of the parser's message. */
function parseProblem(error: unknown): ScriptProblem {
  const { loc, message } = error as Error & { loc?: { line: number; column: number } };
  if (error instanceof RangeError) return { message: 'the script is nested too deeply' };
  return { ...positionOf(loc), message: shortened(message.replace(/ \(\d+:\d+\)$/, '')) };
}
