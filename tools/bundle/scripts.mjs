import { transform } from 'esbuild';
import ts from 'typescript';

const ASCII = /^[\x00-\x7f]*$/;
const parsed = (text) => ts.createSourceFile('file.js', text, ts.ScriptTarget.Latest, false, ts.ScriptKind.JS);

/**
 * The main file of a service as a module that runs nothing before `run` is called: its code can be loaded without
 * starting the service, and a script has no `await` outside of functions.
 */
export function asProgram(text) {
  const last = parsed(text).statements.findLast(ts.isImportDeclaration)?.end ?? 0;
  const body = text.slice(last).replace(/^\/\/# sourceMappingURL=.*$/m, '');
  return `${text.slice(0, last)}\nexport async function run() {${body}}`;
}

const escaped = (text) =>
  text.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Escapes what esbuild leaves of other characters: those in regular expressions. One of them doubles a text in memory. */
function asAscii(text) {
  if (ASCII.test(text)) return text;
  let [kept, at] = ['', 0];
  const visit = (node) => {
    if (node.kind === ts.SyntaxKind.RegularExpressionLiteral) {
      kept += text.slice(at, node.pos) + escaped(text.slice(node.pos, node.end));
      at = node.end;
    }
    ts.forEachChild(node, visit);
  };
  visit(parsed(text));
  const whole = kept + text.slice(at);
  if (!ASCII.test(whole)) throw new Error('the bundle has other characters than ASCII outside of regular expressions');
  return whole;
}

/** An `import()` of what is known only at runtime; a method with this name is called by its object. */
const AT_RUNTIME = /\bawait import\((?!["'`])/g;

/** A module as a script whose value is a function of what CommonJS gives a file, of its address, and of `import`. */
export async function asScript(text, file) {
  const { code } = await transform(text.replace(AT_RUNTIME, 'await __import('), {
    sourcefile: file,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    minifyWhitespace: true,
    define: { 'import.meta.url': '__address' },
    // Such a script has no `import()`; files of the bundle and packages that it names are in CommonJS as well.
    supported: { 'dynamic-import': false },
  });
  return `(function(exports,require,module,__filename,__dirname,__address,__import){"use strict";${asAscii(code)}\n})`;
}
