// The records of the API reference and their fields, from field tables, tables of records and prose.

import { blocksOf, spansOf } from './markdown.mjs';
import { fieldsOf, wordsOf } from './notation.mjs';

const MARKS = /`?\[S\]`?|†|\*\*/g;
const unmarked = (text) => text.replace(MARKS, '');
const plain = (text) => unmarked(text).replaceAll('`', '').replaceAll(/ +/g, ' ').trim();
const pascal = (words) =>
  words.replace(/(?:^|[ _])([a-z])/g, (_, letter) => letter.toUpperCase()).replaceAll(/[ _]/g, '');

/** `temperature / top_p`, `a, b`, or code after other words: the names of one row. */
function namesOf(cell) {
  const codes = spansOf(unmarked(cell)).map(({ code }) => code);
  return (codes.length > 0 ? codes.join(',') : plain(cell))
    .split(/[,/]/)
    .map((name) =>
      name
        .trim()
        .replace(/ names?$/, '')
        .replace(/\?$|\[\]$/, ''),
    )
    .filter((name) => /^[a-z][a-z0-9_]*$/.test(name));
}

/** Names of tables that describe one record per row. */
const ROW_RECORDS = {
  'Other records': (name) => name,
  Record: pascal,
  Shape: (name) => name,
  'action_config by type': (name) => `${pascal(name)}ActionConfig`,
  consumer_config: (name) => `${pascal(name.toLowerCase())}Consumer`,
};

/** A table `| X field | Type | Notes |` describes X; without a name it is the record of its section. */
function recordOf({ head, section }, sections) {
  const name = plain(head[0]);
  const number = /^[\d.]+/.exec(section)?.[0];
  if (name === 'Invoke body') return 'InvokeInput';
  if (name === 'Body' && number === '3.1') return 'CompletionInput';
  if (name === 'config' && number === '2.8') return 'MonitorConfig';
  if (!/^Type/.test(plain(head[1] ?? ''))) return null;
  const [, named] = /^(.*?) ?[Ff]ield$/.exec(name) ?? [];
  return named === undefined ? (name === 'Target' ? name : null) : named || (sections[number] ?? null);
}

/** The words of a row: `A`, `B` as code, or `A|B` in one. */
function wordsOfCell(cell) {
  const codes = spansOf(unmarked(cell)).map(({ code }) => code);
  const single = codes.filter((code) => /^[A-Za-z][\w.]*$/.test(code));
  return wordsOf(codes.join(', ')) ?? (single.length > 1 && single.length === codes.length ? single : null);
}

const withoutBraces = (code) => code.replace(/^\s*\{(.*)\}[^}]*$/s, '$1');

function fromTable(table, record) {
  return table.rows.flatMap(([first = '', type = '', notes = '']) => {
    // `OpenAI parameters`: the names are in the notes.
    const names = namesOf(/^[A-Z]/.test(first) ? spansOf(notes)[0].code + ',' + spansOf(notes)[1].code : first);
    const words = names.length === 1 ? wordsOfCell(type) : null;
    const records = spansOf(type).filter(({ code }) => /^\[?\{/.test(code) && names.length === 1);
    const inner = records.flatMap(({ code }) => fieldsOf(`${names[0]} ${code}`).slice(1));
    return [...names.map((name) => ({ name, ...(words ? { words } : {}) })), ...inner].map((field) => ({
      record,
      ...field,
    }));
  });
}

const codesOf = (text) =>
  spansOf(unmarked(text))
    .map(({ code }) => code)
    .join(', ');

/** `Name: \`field, field\` (remark), \`field\`` in prose, each up to the next one. */
function fromProse(text) {
  const starts = [...text.matchAll(/(?:^|[.;] |\) )([A-Z][A-Za-z]+)(?: †)?: `/g)];
  return starts.flatMap(({ 0: found, 1: record, index }, at) => {
    const own = text
      .slice(index + found.indexOf(record), starts[at + 1]?.index ?? text.length)
      .split(/\. (?=[A-Z])|; all but/)[0];
    return fieldsOf(withoutBraces(codesOf(own.replace(/\(`date_added`.*?\)/, '')))).map((field) => ({
      record,
      ...field,
    }));
  });
}

function fromRowRecords({ rows }, nameOf) {
  return rows.flatMap(([first, second = '']) => {
    const codes = spansOf(unmarked(second).replace(/; no `.*$/, '')).map((span) => span.code);
    const own = codes[0]?.startsWith('{') || /^the api fields/.test(second) ? codes.slice(0, 1) : codes;
    // The fields that a record has depending on its type stand between slashes.
    const all = /` \/ `/.test(second) ? codes : own;
    return fieldsOf(all.map(withoutBraces).join(', ')).map((field) => ({ record: nameOf(plain(first)), ...field }));
  });
}

/** Every field of every record: `{record, name, words?}`; `sections` names the record of sections that do not. */
export function recordFields(text, sections) {
  return blocksOf(text).flatMap((block) => {
    if (block.text !== undefined) return /^(States|Rules)\b/.test(block.text) ? [] : fromProse(block.text);
    const nameOf = ROW_RECORDS[plain(block.head[0])];
    if (nameOf) return fromRowRecords(block, nameOf);
    const record = recordOf(block, sections);
    return record === null ? [] : fromTable(block, record);
  });
}
