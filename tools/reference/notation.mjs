// The notation of records in the API reference: `id, name req, status A|B =A, parts [{id, label?}]`.

const OPEN = '{[(';
const CLOSE = '}])';
const NAME = /^[a-z][a-z0-9_]*$/;
const WORDS = /(?<![\w{.])([A-Za-z][\w.]*(?:\|[A-Za-z][\w.]*)+)(?![\w}])/;

/** Parts between commas that are not inside brackets. */
export function partsOf(text) {
  const parts = [''];
  let depth = 0;
  for (const letter of text) {
    if (OPEN.includes(letter)) depth++;
    if (CLOSE.includes(letter)) depth--;
    if (letter === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += letter;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** What is inside the first braces of a text, null without any. */
function inBraces(text) {
  const from = text.indexOf('{');
  if (from < 0) return null;
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '{') depth++;
    if (text[at] === '}' && --depth === 0) return text.slice(from + 1, at);
  }
  return null;
}

const outsideBrackets = (text) => text.replace(/\{.*\}|\[.*\]|\(.*\)/g, ' ');
const TYPES = new Set(['string', 'json', 'null', 'obj', 'int', 'num', 'str', 'text', 'bool', 'ms', 'semver', 'Part']);

/** The closed set of words that a type names, null when it names none. */
export function wordsOf(type) {
  const [, found] = WORDS.exec(outsideBrackets(type)) ?? [];
  const words = found?.split('|') ?? [];
  return words.length > 1 && words.every((word) => !TYPES.has(word)) ? words : null;
}

/** The fields of a record, nested ones under dotted names: `[{name, words?}]`. */
export function fieldsOf(text, prefix = '') {
  return partsOf(text).flatMap((part) => {
    const [, name, rest] = /^("?[\w]+"?)\??:?\s*(.*)$/s.exec(part.replace(/\?/, '')) ?? [];
    if (name === undefined || !NAME.test(name)) return [];
    const words = wordsOf(rest);
    const inner = inBraces(rest);
    // `{NAME: string}` and `{field: value}` are maps, not records.
    const isMap = inner === null || (partsOf(inner).length === 1 && inner.includes(':')) || /^[A-Z]/.test(inner.trim());
    const nested = isMap ? [] : fieldsOf(inner, `${prefix}${name}.`);
    return [{ name: `${prefix}${name}`, ...(words ? { words } : {}) }, ...nested];
  });
}
