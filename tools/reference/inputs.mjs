// What the endpoint tables of the API reference say each endpoint takes and returns.

import { blocksOf, spansOf } from './markdown.mjs';
import { fieldsOf } from './notation.mjs';

const ROOTS = ['/agents/{agent_id}', '/workflows/{workflow_id}', '/monitors/{monitor_id}'];
const unmarked = (text) => text.replace(/`?\[S\]`?|†|\*\*/g, '');
const nameless = (path) => path.replaceAll(/\{[^}]*\}/g, '{}');

/** Finds the endpoint that a path in a table means: as it stands, or after a beginning of the one before. */
function resolver(endpoints) {
  const known = new Map(endpoints.map((endpoint) => [nameless(endpoint), endpoint]));
  return (method, path, base, isSibling) => {
    const segments = base.split('/').filter(Boolean);
    const rest = path.replace(/^…/, '');
    const beginnings = segments.map((_, at) => `/${segments.slice(0, segments.length - at).join('/')}`);
    const relative = beginnings.map((beginning) => `${beginning}${rest === '/' ? '' : rest}`);
    const whole = path.startsWith('…') ? [] : [path];
    // `/things/{id}/parts`, `/others` names two paths below one thing.
    const candidates = isSibling ? [...relative, ...whole] : [...whole, ...relative];
    for (const candidate of candidates) {
      const found = known.get(nameless(`${method} ${candidate.replace(/\/$/, '')}`));
      if (found !== undefined) return found;
    }
    return null;
  };
}

/** The endpoints of a row, and those that could not be found. */
function endpointsOf(cell, base, resolve) {
  const found = [];
  const unknown = [];
  let last = base;
  let methods = [];
  for (const { code, before } of spansOf(unmarked(cell).replaceAll(/\([^)]*\)/g, ''))) {
    if (!code.startsWith('/') && !code.startsWith('…') && !code.startsWith('{root}')) continue;
    const own = before.match(/\b(GET|POST|PUT|DELETE)\b/g);
    if (own) methods = own;
    const paths = code.startsWith('{root}')
      ? ROOTS.map((root) => code.replace('{root}', root))
      : [code.replace(/\?.*$/, '')];
    for (const path of paths)
      for (const method of methods) {
        const endpoint = resolve(method, path, last, own === null);
        if (endpoint === null) unknown.push(`${method} ${path}`);
        else found.push(endpoint);
      }
    const [, path] = found.at(-1)?.split(' ') ?? [];
    if (path !== undefined) last = path;
  }
  return { found, unknown, last };
}

/** The names of fields in a cell; code that is a value, a word list or a path names none. */
function namesIn(cell) {
  return spansOf(unmarked(cell)).flatMap(({ code, before }) => {
    if (/[=:]\s*$/.test(before) || /^[/…=]/.test(code) || /^[\w]+(\|[\w]+)+$/.test(code)) return [];
    return fieldsOf(code).map(({ name }) => name);
  });
}

/** Code in cells of inputs that names a value. */
const VALUES = new Set([
  'true',
  'false',
  'null',
  'latest',
  'draft',
  'agent_first_user_message_with_system_prompt',
  'prices',
  'supports_',
]);

/** Rows of endpoint tables: `{endpoints, list, inputs, outputs}`, with the paths that no endpoint matches. */
export function endpointRows(text, endpoints) {
  const resolve = resolver(endpoints);
  const rows = [];
  const unknown = [];
  let section = '';
  let base = '';
  for (const block of blocksOf(text)) {
    if (block.head?.[0] !== 'Method, path') continue;
    if (block.section !== section) base = /\(`(\/[\w-]+)`/.exec(block.section)?.[1] ?? '';
    section = block.section;
    for (const [first, second = '', third = ''] of block.rows) {
      const row = endpointsOf(first, base, resolve);
      base = row.last;
      unknown.push(...row.unknown);
      const takes = block.head[1] === 'In' || block.head[1] === 'Extra query';
      const inputs = takes ? namesIn(second).filter((name) => !VALUES.has(name)) : [];
      const outputs = spansOf(unmarked(takes ? third : second)).flatMap(({ code }) =>
        /^\[?\{/.test(code) ? fieldsOf(code.replace(/^\[?\{(.*)\}\]?[^}]*$/s, '$1')).map(({ name }) => name) : [],
      );
      // The head of the table says that what the rows name are the points of a series.
      const isPoint = /points: \[\.\.\.\]/.test(block.head[2] ?? block.head[1]) && !/no series/.test(second);
      rows.push({
        endpoints: row.found,
        list: takes && /(^|[^\w])list([^\w]|$)/.test(unmarked(second).replaceAll(/`[^`]*`/g, '')),
        inputs,
        outputs: isPoint ? outputs.map((name) => `series.points.${name}`) : outputs,
      });
    }
  }
  return { rows, unknown };
}
