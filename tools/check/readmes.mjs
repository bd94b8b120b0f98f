// Checks the README of each lib: the names of its table are exported, and its examples compile against the built libs.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
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

/** What is wrong with the READMEs of libs, by their texts. */
export function problemsOf(readmes) {
  const modules = new Map(
    Object.entries(readmes).map(([lib, text]) => [join(ROOT, 'libs', lib, 'test/readme.ts'), { lib, text }]),
  );
  const host = ts.createCompilerHost(OPTIONS);
  const { fileExists, readFile } = host;
  host.fileExists = (file) => modules.has(file) || fileExists(file);
  host.readFile = (file) => {
    const own = modules.get(file);
    return own ? sourceOf(own.lib, own.text) : readFile(file);
  };
  const program = ts.createProgram([...modules.keys()], OPTIONS, host);
  return [...modules].flatMap(([file, { lib, text }]) => {
    const source = program.getSourceFile(file);
    const faults = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    const exported = exportsOf(program.getTypeChecker(), source);
    return [
      ...faults.map((fault) => `libs/${lib}/README.md: ${lineOf(source, fault)}: ${textOf(fault)}`),
      ...namesIn(text)
        .filter((name) => !exported.has(name))
        .map((name) => `libs/${lib}/README.md: ${name} is not exported`),
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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const libs = readdirSync(join(ROOT, 'libs'));
  const problems = problemsOf(
    Object.fromEntries(libs.map((lib) => [lib, readFileSync(join(ROOT, 'libs', lib, 'README.md'), 'utf8')])),
  );
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
