#!/usr/bin/env node
// Writes libs/openapi/test/reference.txt, the list of every field and closed set of words that the API reference
// names: node tools/reference.mjs <reference.md>. A test compares it with the served document.

import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { endpointRows } from './reference/inputs.mjs';
import { recordFields } from './reference/records.mjs';

const TESTS = new URL('../libs/openapi/test/', import.meta.url);

/** Sections whose field table does not name its record. */
const SECTIONS = {
  2.3: 'Intent',
  2.4: 'IntentGroup',
  2.6: 'Composition',
  2.7: 'Sentinel',
  2.9: 'Session',
  '2.10': 'Request',
  2.12: 'EvaluationCriteria',
  2.15: 'Workflow',
  2.16: 'FinetuneRun',
};

/** Words before a colon and code that name no record. */
const NOT_RECORDS = ['Operators', 'Frame', 'Reconnect', 'Chosen', 'States', 'Python', 'Stream', 'Fallback', 'Call'];

/** Records with `id` and `date_created`; those that can be changed have `date_updated` as well (section 1.1). */
const CHANGEABLE =
  'Application Intent IntentGroup Agent Composition Sentinel Summary Target Dataset EvaluationCriteria TestSet Item TestRun Workflow Model Provider Tag TagRule Webhook ApiKey'.split(
    ' ',
  );
const CREATED =
  'Request MonitorRun WorkflowRun Task Artifact FinetuneRun Augmentation EvaluationRun EvaluationResult CheckRun TagRun Delivery Entry SubAgentLink FormField RoutingRule'.split(
    ' ',
  );

const source = process.argv[2];
if (source === undefined) throw new Error('usage: node tools/reference.mjs <reference.md>');
const text = await readFile(source, 'utf8');
const endpoints = (await readFile(new URL('endpoints.txt', TESTS), 'utf8')).trim().split('\n');

const records = recordFields(text, SECTIONS)
  .filter(({ record }) => !NOT_RECORDS.includes(record))
  .map(({ record, name, words }) => `${record}.${name}${words ? ` ${words.join('|')}` : ''}`);

const { rows, unknown } = endpointRows(text, endpoints);
if (unknown.length > 0) throw new Error(`no such endpoints: ${unknown.join(', ')}`);
const ios = rows.flatMap((row) => {
  const heading = [...new Set(row.endpoints)].join(' + ');
  const lists = row.list ? ['offset', 'limit', 'search', 'sort'] : [];
  return [
    ...[...new Set([...lists, ...row.inputs])].map((name) => `${heading} < ${name}`),
    ...[...new Set(row.outputs)].map((name) => `${heading} > ${name}`),
  ];
});
const common = [
  ...[...CHANGEABLE, ...CREATED].flatMap((record) => [`${record}.id`, `${record}.date_created`]),
  ...CHANGEABLE.map((record) => `${record}.date_updated`),
];
const lines = [...new Set([...records, ...common, ...ios])];
await writeFile(fileURLToPath(new URL('reference.txt', TESTS)), `${lines.join('\n')}\n`);
