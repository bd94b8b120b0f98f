import { valueWords, versionWords } from './origins.js';

it.each([
  ['EXTERNAL', 'elsewhere'],
  ['SUB_AGENT', 'sub agent'],
  ['WAITING_WEBHOOK', 'waiting webhook'],
])('%s is called «%s»', (value, words) => {
  expect(valueWords(value)).toBe(words);
});

const TASK = { version: null, reported_version: null, trigger: 'API' };

it.each([
  [{}, 'draft'],
  [{ trigger: 'EXTERNAL' }, '–'],
  [{ trigger: 'EXTERNAL', reported_version: 'build-7' }, 'build-7'],
  [{ version: '1.0.0' }, '1.0.0'],
])('a task with %j ran on «%s»', (fields, words) => {
  expect(versionWords({ ...TASK, ...fields })).toBe(words);
});
