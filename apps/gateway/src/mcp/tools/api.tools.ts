import {
  type Contract,
  Default,
  Description,
  type Endpoint,
  Flag,
  invalidField,
  join,
  Obj,
  OneOf,
  Optional,
  Str,
} from '@signalbox/contracts';
import { openApi } from '@signalbox/openapi';
import type { ApiEndpoints, NamedEndpoint } from '../api-endpoints.js';
import { type Tool, tool } from '../tool.js';
import { Continued } from './inputs.js';

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'];
const SHOWN = 25;

class Search {
  @Str(0, 200) @Default('') @Description('Words of paths and summaries') q!: string;
}
class Path {
  @Str(1, 2000) @Description('Such as /agents/5/tasks?limit=10') path!: string;
}
class Described extends Path {
  @OneOf(METHODS) method!: string;
  @Flag() @Default(false) @Description('Adds the schema of the reply') reply!: boolean;
}
class Read extends Path {
  @OneOf(['GET', 'POST']) @Default('GET') @Description('POST for searches') method!: string;
  @Obj() @Optional() body?: Record<string, unknown>;
}
class Written extends Path {
  @OneOf(['POST', 'PUT', 'DELETE']) method!: string;
  @Obj() @Optional() body?: Record<string, unknown>;
}

const asLine = ({ method, path, summary, scope }: Endpoint): string => `${method} ${path} (${scope}): ${summary}`;
const named = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;

export const apiTools = (contracts: readonly Contract[], endpoints: ApiEndpoints): Tool[] => [
  tool({
    name: 'search_api',
    description: 'Search the endpoints of the API by words.',
    scope: 'read',
    input: Search,
    target: ({ q }) => q,
    run({ q }, { granted }) {
      const words = q.toLowerCase().split(/[^a-z0-9]+/);
      const found = endpoints.search(words.filter(Boolean), granted);
      const rest = found.length > SHOWN ? [`more: ${found.length - SHOWN} others; search with further words`] : [];
      return Promise.resolve({ says: [...found.slice(0, SHOWN).map(asLine), ...rest] });
    },
  }),
  tool({
    name: 'describe_api',
    description: 'The input of an endpoint as JSON Schema, and its reply when asked. Read it before write_api.',
    scope: 'read',
    input: join(Described, Continued),
    target: named,
    run({ method, path, reply, from }) {
      const { route } = endpoints.named(method, path);
      const text = JSON.stringify(description(contracts, route.endpoint, reply));
      const more = (at: number): string => `describe_api with from: ${at}`;
      return Promise.resolve({ says: [asLine(route.endpoint)], data: { source: 'schema', text, from, more } });
    },
  }),
  tool({
    name: 'read_api',
    description: 'Call a reading endpoint. Lists take limit, offset and search.',
    scope: 'read',
    input: join(Read, Continued),
    target: named,
    async run({ method, path, body, from }, calls) {
      const endpoint = requireScope(endpoints.named(method, path), ['read', 'any'], 'write_api');
      const text = await calls.request(endpoint, body);
      const more = (at: number): string => `the same call with from: ${at}, or a smaller limit`;
      return { says: ['200'], data: { source: named({ method, path }), text, from, more } };
    },
  }),
  tool({
    name: 'write_api',
    description: 'Call a writing endpoint: create, change, delete.',
    scope: 'write',
    input: Written,
    target: named,
    async run({ method, path, body }, calls) {
      const endpoint = requireScope(endpoints.named(method, path), ['write', 'invoke'], 'read_api');
      const text = await calls.request(endpoint, body);
      const more = (): string => 'read it with read_api';
      return { says: ['200'], data: { source: named({ method, path }), text, more } };
    },
  }),
];

function requireScope(endpoint: NamedEndpoint, scopes: Endpoint['scope'][], other: string): NamedEndpoint {
  if (scopes.includes(endpoint.route.endpoint.scope)) return endpoint;
  throw invalidField('path', `is for ${other}: it needs the scope ${endpoint.route.endpoint.scope}`);
}

function description(contracts: readonly Contract[], { contract, method, path }: Endpoint, reply: boolean): object {
  const document = openApi(contracts.filter(({ name }) => name === contract));
  const { paths, components } = document as {
    paths: Record<string, Record<string, { parameters?: unknown; requestBody?: unknown; responses: { 200: unknown } }>>;
    components: { schemas: Record<string, unknown> };
  };
  const operation = paths[path ?? '']?.[(method ?? '').toLowerCase()];
  const shown = {
    parameters: operation?.parameters,
    body: operation?.requestBody,
    ...(reply ? { reply: operation?.responses[200] } : {}),
  };
  return { ...shown, schemas: referred(shown, components.schemas) };
}

function referred(value: unknown, schemas: Record<string, unknown>): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  const pending = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop())
    for (const [, name] of JSON.stringify(next).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (name === undefined || name in found) continue;
      found[name] = schemas[name];
      pending.push(schemas[name]);
    }
  return found;
}
