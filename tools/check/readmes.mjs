// Checks the README of each lib: the names of its table are exported, and its examples compile against the built libs;
// so do those of CONTRIBUTING.md.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { contributingSource } from './readmes/contributing.mjs';
import { GIVEN } from './readmes/given.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const OPTIONS = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  experimentalDecorators: true,
  types: ['node'],
};

/** The names of the first column of the tables, without those that are a member or a setting. */
const namesIn = (text) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => [...line.split('|')[1].matchAll(/`@?(\w+)/g)].map(([, name]) => name));

/** One module for each lib: what its examples are given, and all of them. */
function sourceOf(lib, text) {
  const examples = [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code);
  return `export {};\n${GIVEN[lib]}\nexport * as lib from '@signalbox/${lib}';\n${examples.join('\n')}`;
}

/** What is wrong with pages, each with the module of its examples and the names that a lib must export. */
function problemsOf(pages) {
  const modules = new Map(pages.map((page) => [page.module, page]));
  const host = ts.createCompilerHost(OPTIONS);
  const { fileExists, readFile } = host;
  host.fileExists = (file) => modules.has(file) || fileExists(file);
  host.readFile = (file) => {
    const own = modules.get(file);
    return own ? own.source : readFile(file);
  };
  const program = ts.createProgram([...modules.keys()], OPTIONS, host);
  return pages.flatMap(({ page, module, names }) => {
    const source = program.getSourceFile(module);
    const faults = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    const exported = exportsOf(program.getTypeChecker(), source);
    return [
      ...faults.map((fault) => `${page}: ${lineOf(source, fault)}: ${textOf(fault)}`),
      ...names.filter((name) => !exported.has(name)).map((name) => `${page}: ${name} is not exported`),
    ];
  });
}

function exportsOf(checker, source) {
  const lib = checker.getExportsOfModule(checker.getSymbolAtLocation(source)).find(({ name }) => name === 'lib');
  const members = lib ? checker.getExportsOfModule(checker.getAliasedSymbol(lib)) : [];
  return new Set(members.map(({ name }) => name));
}

const textOf = ({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' ');
const lineOf = (source, { start = 0 }) =>
  source.text.split('\n')[source.getLineAndCharacterOfPosition(start).line].trim();

function readmeOf(lib) {
  const page = `libs/${lib}/README.md`;
  const text = readFileSync(join(ROOT, page), 'utf8');
  return { page, module: join(ROOT, 'libs', lib, 'test/readme.ts'), source: sourceOf(lib, text), names: namesIn(text) };
}

function contributing() {
  const page = 'CONTRIBUTING.md';
  const source = contributingSource(readFileSync(join(ROOT, page), 'utf8'));
  return { page, module: join(ROOT, 'test/contributing.ts'), source, names: [] };
}

const problems = problemsOf([...readdirSync(join(ROOT, 'libs')).map(readmeOf), contributing()]);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
