import { gzipSync } from 'node:zlib';
import { bytesOf } from '../fuzz/message.js';

/** A single request that is built to cost more than it should. */
export interface Attack {
  name: string;
  bytes: Buffer;
  /** Replies that count as handled: a refusal, or service at low cost. */
  statuses: readonly number[];
  keepsAlive?: true;
}

export interface AttackTarget {
  key: string;
  agentId: number;
}

const JSON_TYPE: [string, string] = ['Content-Type', 'application/json'];
const SMALL = '/api/v1/company';

const nested = (open: string, close: string, depth: number): string => open.repeat(depth) + close.repeat(depth);
const wide = (keys: number): string => `{${Array.from({ length: keys }, (_, at) => `"k${at}":1`).join(',')}}`;

/** Definitions that each refer twice to the next: 2^depth checks for a naive checker. */
function schemaBomb(depth: number): object {
  const ref = (at: number) => ({ $ref: `#/$defs/d${at}` });
  const defs = Array.from({ length: depth }, (_, at): [string, object] => [
    `d${at}`,
    at === depth - 1 ? { type: 'object' } : { allOf: [ref(at + 1), ref(at + 1)] },
  ]);
  return { $ref: '#/$defs/d0', $defs: Object.fromEntries(defs) };
}

const REDOS = '^(([a-z])+.)+[A-Z]([a-z])+$';

export function attacksOn({ key, agentId }: AttackTarget): Attack[] {
  const send = (method: string, target: string, body?: string | Buffer, ...more: [string, string][]): Buffer =>
    bytesOf({
      method,
      target,
      headers: [['X-Service-Api-Key', key], ...(body === undefined ? [] : [JSON_TYPE]), ...more],
      ...(body === undefined ? {} : { body: Buffer.from(body) }),
    });
  const put = (body: string | Buffer, ...more: [string, string][]): Buffer => send('PUT', SMALL, body, ...more);
  const invoke = (body: string): Buffer => send('POST', `/api/v1/agents/${agentId}/invoke`, body);
  const asked = (schema: object) => ({
    message: 'a'.repeat(2000),
    response_format: { type: 'json_schema', json_schema: { name: 'x', schema } },
  });
  const rule = (pattern: string): Buffer =>
    send(
      'POST',
      `/api/v1/agents/${agentId}/routing/rules`,
      JSON.stringify({
        label: 'hostile',
        route: { type: 'llm' },
        conditions: [{ target_type: 'message', operator: 'matches', value: pattern }],
      }),
    );
  const deep = [10_000, 100_000].map((depth): Attack => ({
    name: `JSON ${depth} deep`,
    bytes: put(`{"settings":${nested('[', ']', depth)}}`),
    statuses: [400],
  }));
  return [
    ...deep,
    { name: 'JSON a million deep', bytes: put(nested('{"a":', '}', 1_000_000)), statuses: [413] },
    { name: 'JSON a million deep, large', bytes: invoke(`{"state":${nested('[', ']', 1_000_000)}}`), statuses: [400] },
    {
      name: 'a body of 100 MB',
      // With `Connection: close` a client is disconnected while it still sends.
      bytes: put(Buffer.alloc(100_000_000, 120), ['Connection', 'keep-alive']),
      statuses: [413],
      keepsAlive: true,
    },
    {
      name: 'a gzip bomb',
      bytes: put(gzipSync(Buffer.alloc(10_000_000)), ['Content-Encoding', 'gzip']),
      statuses: [415],
    },
    { name: '100,000 keys', bytes: put(wide(60_000)), statuses: [400] },
    { name: '100,001 keys, large', bytes: invoke(wide(100_001)), statuses: [400] },
    { name: '__proto__', bytes: put('{"settings":{"__proto__":{"default_model":"x"}}}'), statuses: [400] },
    { name: '__proto__ in escapes', bytes: put('{"\\u005f_proto__":{"name":"x"}}'), statuses: [400] },
    { name: '1,000 parameters', bytes: send('GET', `${SMALL}?${'a=1&'.repeat(1000)}`), statuses: [400] },
    { name: 'headers of 64 KB', bytes: send('GET', SMALL, undefined, ['X-Big', 'x'.repeat(65_536)]), statuses: [431] },
    { name: '2,000 headers', bytes: send('GET', SMALL, undefined, ...many(2000)), statuses: [431] },
    { name: 'a huge offset', bytes: send('GET', `/api/v1/agents?offset=${Number.MAX_SAFE_INTEGER}`), statuses: [400] },
    {
      name: 'an offset beyond numbers',
      bytes: send('GET', `/api/v1/agents?offset=${'9'.repeat(40)}`),
      statuses: [400],
    },
    { name: 'a pattern that repeats repeats', bytes: rule('((a{1000}){1000}){1000}'), statuses: [422] },
    { name: 'a pattern of brackets', bytes: rule('('.repeat(19_000)), statuses: [422] },
    { name: 'a schema that doubles', bytes: invoke(JSON.stringify(asked(schemaBomb(60)))), statuses: [422] },
    {
      name: 'a schema with a slow pattern',
      bytes: invoke(JSON.stringify(asked({ type: 'object', properties: { x: { pattern: REDOS } } }))),
      statuses: [200, 422],
    },
    { name: 'a schema that is too deep', bytes: invoke(JSON.stringify(asked(deepSchema(200)))), statuses: [400] },
  ];
}

const many = (count: number): [string, string][] =>
  Array.from({ length: count }, (_, at) => [`X-H${at}`, 'value'] as [string, string]);
const deepSchema = (depth: number): object =>
  depth === 0 ? { type: 'string' } : { type: 'object', properties: { a: deepSchema(depth - 1) } };
