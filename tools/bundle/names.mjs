import { readFile, writeFile } from 'node:fs/promises';
import ts from 'typescript';

const DEFINED = '__name=(target,value)=>__defProp(target';
const DEFINED_IF_RENAMED = '__name=(target,value)=>target.name===value?target:__defProp(target';

/** The name that the language gives to an anonymous function at this place; undefined where it gives none. */
function givenName(parent) {
  if (ts.isBinaryExpression(parent)) return ts.isIdentifier(parent.left) ? parent.left.text : undefined;
  const { name } = parent;
  return name && (ts.isIdentifier(name) || ts.isStringLiteral(name)) ? name.text : undefined;
}

const isAnonymous = (node) => ts.isArrowFunction(node) || (ts.isFunctionExpression(node) && !node.name);

/** The ranges of `__name(…,"name")` around functions that have this name without it. */
function* needless(node, parent, source) {
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === '__name') {
    const [target, value] = node.arguments;
    if (target && isAnonymous(target) && givenName(parent) === value?.text) {
      yield [node.getStart(source), target.getStart(source)];
      yield [target.end, node.end];
    }
  }
  const children = [];
  ts.forEachChild(node, (child) => void children.push(child));
  for (const child of children) yield* needless(child, node, source);
}

function withoutNeedless(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false, ts.ScriptKind.JS);
  let [kept, at] = ['', 0];
  for (const [start, end] of [...needless(source, source, source)].sort(([one], [other]) => one - other)) {
    kept += text.slice(at, start);
    at = end;
  }
  return kept + text.slice(at);
}

/**
 * Names only functions that lost their name in a bundle. A function whose name is defined, even the same again, keeps
 * its properties in a separate table: 10 MB in each service, and time for each function that is created in a call.
 */
export async function nameOnlyRenamed(files) {
  let found = false;
  for (const file of files.filter((each) => each.endsWith('.cjs'))) {
    const text = await readFile(file, 'utf8');
    found ||= text.includes(DEFINED);
    await writeFile(file, withoutNeedless(file, text.replace(DEFINED, DEFINED_IF_RENAMED)));
  }
  if (!found) throw new Error('the bundle defines no __name: look at how it names functions now');
}
