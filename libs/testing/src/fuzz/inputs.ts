import { type Class, type Endpoint, fieldsOf, hasBody, pathParameters } from '@signalbox/contracts';
import fc, { type Arbitrary } from 'fast-check';
import { bodyTypeOf, messageOf } from '../conformance/raw-client.js';
import type { FuzzMessage } from './message.js';
import { anyJson, fieldValue, junk } from './values.js';

type Input = Record<string, unknown>;

const PREFIX = '/api/v1';

const pathNames = (endpoint: Endpoint): Set<string> => new Set(pathParameters(endpoint.path));

/** Endpoints wait by these; the fuzzer does not. */
const WAITING_FIELDS = new Set(['wait_seconds', 'timeout_ms', 'hook_ttl_seconds', 'last_event_id']);

export function validInput(endpoint: Endpoint, base: Input): Arbitrary<Input> {
  const path = pathNames(endpoint);
  const free = [...fieldsOf(endpoint.input).values()].filter(
    ({ name, rest }) => !rest && !path.has(name) && !/_ids?$/.test(name) && !WAITING_FIELDS.has(name),
  );
  const changes = fc.record(Object.fromEntries(free.map((field) => [field.name, fieldValue(field)])), {
    requiredKeys: [],
  });
  // Changing every field at once nearly always breaks a rule between fields.
  return fc
    .tuple(changes, fc.subarray(free.map(({ name }) => name)), fc.boolean())
    .map(([values, kept, few]) =>
      Object.fromEntries(Object.entries(values).filter(([name]) => kept.includes(name) && (!few || name === kept[0]))),
    )
    .map((values) => ({ ...base, ...values }));
}

const PATHS: readonly ((base: Input, name: string, value: unknown, key: string) => Input)[] = [
  (base, name, value) => ({ ...base, [name]: value }),
  (base, name, value) => ({ ...base, [name]: value }),
  (base, name, value) => within(base, name, value),
  (base, name) => Object.fromEntries(Object.entries(base).filter(([key]) => key !== name)),
  (base, _name, value, key) => ({ ...base, [key]: value }),
];

function within(base: Input, name: string, value: unknown): Input {
  const held = base[name];
  if (Array.isArray(held)) return { ...base, [name]: [...(held as unknown[]), value] };
  if (typeof held !== 'object' || held === null) return { ...base, [name]: [value] };
  const [first = 'x'] = Object.keys(held);
  return { ...base, [name]: { ...held, [first]: value } };
}

export function mutatedInput(cls: Class, base: Input): Arbitrary<Input> {
  const names = [...fieldsOf(cls).keys()];
  const strange = fc.constantFrom('id', 'company_id', '__proto__x', 'constructor', 'toString', 'is_latest', 'a.b', '');
  const step = fc.tuple(
    fc.constantFrom(...PATHS),
    names.length > 0 ? fc.constantFrom(...names) : strange,
    junk,
    fc.oneof(strange, fc.string({ maxLength: 10 })),
  );
  return fc
    .array(step, { minLength: 1, maxLength: 3 })
    .map((steps) => steps.reduce<Input>((input, [change, name, value, key]) => change(input, name, value, key), base));
}

/** Values that no URL can carry are left out of path and query. */
export function messageFor(endpoint: Endpoint, input: Input, key: string): FuzzMessage {
  const sound = Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      hasBody(endpoint) && !pathNames(endpoint).has(name) ? value : wellFormed(value),
    ]),
  );
  const { path, query, body } = messageOf(endpoint, sound);
  return {
    method: endpoint.method ?? 'GET',
    target: `${PREFIX}${path}${query ? `?${query}` : ''}`.slice(0, 9000),
    headers: [
      ['X-Service-Api-Key', key],
      ...(body === undefined ? [] : [['Content-Type', bodyTypeOf(endpoint)] as [string, string]]),
    ],
    ...(body === undefined ? {} : { body: Buffer.from(body) }),
  };
}

// A lone surrogate cannot be percent-encoded.
const wellFormed = (value: unknown): unknown => (typeof value === 'string' ? value.toWellFormed() : asText(value));
const asText = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(wellFormed);
  return typeof value === 'object' && value !== null ? JSON.stringify(value).toWellFormed() : value;
};

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];
const TARGET_TAILS = [
  '/',
  '//',
  '/..',
  '/%2e%2e',
  '%00',
  '%',
  '%zz',
  '?a[b]=1',
  '?limit=1&limit=2',
  '?__proto__=1',
  '?&&=',
  ';x=1',
  '%2F',
];
const CONTENT_TYPES = [
  'text/plain',
  'application/json; charset=utf-16',
  'multipart/form-data; boundary=x',
  'a',
  '',
  'application/xml',
];
const HEADERS: [string, string][] = [
  ['Idempotency-Key', 'a b'],
  ['Idempotency-Key', ''],
  ['Idempotency-Key', 'k'.repeat(300)],
  ['traceparent', '00-zz'],
  ['Last-Event-ID', '-1'],
  ['Last-Event-ID', '99999999999999999999'],
  ['X-Request-Id', '../..'],
  ['Accept', 'nothing/at-all'],
  ['Content-Encoding', 'gzip'],
  ['Transfer-Encoding', 'chunked'],
  ['Expect', '100-continue'],
  ['Upgrade', 'websocket'],
  ['Range', 'bytes=0-1'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['Cookie', '__proto__=1'],
  ['Authorization', 'Bearer x'],
  ['X-Service-Api-Key', 'svk_x'],
];

const BODIES: readonly ((body: Buffer) => Buffer)[] = [
  (body) => body.subarray(0, Math.floor(body.length / 2)),
  (body) => Buffer.concat([body, Buffer.from('}')]),
  (body) => Buffer.concat([Buffer.from('\ufeff'), body]),
  (body) => Buffer.concat([Buffer.from('{"a":1,"a":2,"":0,'), body.subarray(1)]),
  () => Buffer.from('[]'),
  () => Buffer.from('null'),
  () => Buffer.from('"text"'),
  () => Buffer.from('{"a":1e999,"b":-0,"c":0.1e-999}'),
  () => Buffer.from('['.repeat(200)),
  () => Buffer.from([0xff, 0xfe, 0x7b]),
  () => Buffer.from('{"__proto__":{"admin":true}}'),
  () => Buffer.alloc(0),
];

type Change = (message: FuzzMessage) => FuzzMessage;

const changes: Arbitrary<Change> = fc.oneof(
  fc.constantFrom(...METHODS).map((method): Change => (message) => ({ ...message, method })),
  fc
    .constantFrom(...TARGET_TAILS)
    .map((tail): Change => (message) => ({ ...message, target: message.target.split('?')[0] + tail })),
  fc
    .constantFrom(...HEADERS)
    .map((header): Change => (message) => ({ ...message, headers: [...message.headers, header] })),
  fc.constantFrom(...CONTENT_TYPES).map((type): Change => (message) => ({
    ...message,
    headers: [...message.headers.slice(0, 1), ['Content-Type', type]],
  })),
  fc
    .constantFrom(...BODIES)
    .map((change): Change => (message) => ({ ...message, body: change(message.body ?? Buffer.from('{}')) })),
  anyJson.map((value): Change => (message) => ({ ...message, body: Buffer.from(JSON.stringify(value)) })),
  fc.constant<Change>((message) => ({ ...message, headers: message.headers.slice(1) })),
);

export const mutatedMessage = (message: FuzzMessage): Arbitrary<FuzzMessage> =>
  fc
    .array(changes, { minLength: 1, maxLength: 2 })
    .map((steps) => steps.reduce((changed, change) => change(changed), message));
