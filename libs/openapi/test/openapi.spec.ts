import { CONTRACTS, type Endpoint, type JsonSchema } from '@signalbox/contracts';
import { openApi } from '@signalbox/openapi';

const document = openApi(CONTRACTS) as {
  openapi: string;
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema>; securitySchemes: object };
};

interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  parameters?: { name: string; in: string; required: boolean; schema: JsonSchema }[];
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, { description: string; content: object }>;
  security: Record<string, string[]>[];
}

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
);
const endpoints: Endpoint[] = CONTRACTS.flatMap((contract) => Object.values(contract.endpoints));
const open = endpoints.filter((endpoint) => endpoint.path !== null);

function walk(value: unknown, visit: (node: JsonSchema, path: string) => void, path = '#'): void {
  if (typeof value !== 'object' || value === null) return;
  visit(value as JsonSchema, path);
  for (const [key, child] of Object.entries(value)) walk(child, visit, `${path}/${key}`);
}

const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];

/** The read of one record with its bodies: one that is larger than a reply is refused. */
const LARGE_RECORD = '/requests/{request_id}';

describe('the OpenAPI document', () => {
  it('is OpenAPI 3.1 and survives JSON', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });

  it('has each public endpoint once, and no internal one', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const endpoint of endpoints) {
      const id = `${endpoint.contract}.${endpoint.name}`;
      expect([id, ids.includes(id)]).toEqual([id, endpoint.path !== null]);
    }
  });

  it('serves PATCH next to PUT except on verb paths', () => {
    for (const endpoint of open.filter((each) => each.method === 'PUT'))
      expect([endpoint.path, 'patch' in (document.paths[endpoint.path ?? ''] ?? {})]).toEqual([
        endpoint.path,
        !endpoint.exactMethod,
      ]);
  });

  it('has no two paths that differ in parameter names alone', () => {
    const shapes = Object.keys(document.paths).map((path) => path.replace(/\{\w+\}/g, '{}'));
    expect(shapes.filter((shape, at) => shapes.indexOf(shape) !== at)).toEqual([]);
  });

  it('has no dangling schema reference and no unresolved class', () => {
    walk(document, (node, path) => {
      expect([path, '$class' in node]).toEqual([path, false]);
      if (typeof node.$ref !== 'string') return;
      const name = /^#\/components\/schemas\/([A-Za-z0-9._-]+)$/.exec(node.$ref)?.[1];
      expect([path, name !== undefined && name in document.components.schemas]).toEqual([path, true]);
    });
  });

  it('has well-formed schemas', () => {
    walk(document.components.schemas, (node, path) => {
      if (/\/(properties|enum|default|schemas)$/.test(path)) return;
      if (typeof node.type === 'string') expect([path, TYPES.includes(node.type)]).toEqual([path, true]);
      if (typeof node.pattern === 'string') expect(() => new RegExp(node.pattern as string, 'u')).not.toThrow();
      if (node.properties && Array.isArray(node.required))
        for (const name of node.required) expect([path, name in (node.properties as object)]).toEqual([path, true]);
      for (const [low, high] of [
        ['minimum', 'maximum'],
        ['minLength', 'maxLength'],
        ['minItems', 'maxItems'],
      ] as const)
        if (typeof node[low] === 'number' && typeof node[high] === 'number')
          expect([path, node[low] <= node[high]]).toEqual([path, true]);
    });
  });

  it.each(operations.map((each) => [`${each.method.toUpperCase()} ${each.path}`, each] as const))(
    '%s is well formed',
    (_name, { path, method, operation }) => {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
      const parameters = operation.parameters ?? [];
      expect(
        parameters
          .filter((each) => each.in === 'path')
          .map((each) => each.name)
          .sort(),
      ).toEqual(inPath);
      expect(parameters.filter((each) => each.in === 'path').every((each) => each.required)).toBe(true);
      const keys = parameters.map((each) => `${each.in}:${each.name}`);
      expect(new Set(keys).size).toBe(keys.length);
      if (method === 'get' || method === 'delete') expect(operation.requestBody).toBeUndefined();
      else expect(parameters.filter((each) => each.in === 'query')).toEqual([]);
      expect(operation.summary).toMatch(/^[A-Z].*[^.]$/);
      expect(operation.tags.every((tag) => document.tags.some(({ name }) => name === tag))).toBe(true);
      expect(operation.responses['200']?.content).toBeDefined();
      for (const status of ['400', '429', '431', '500', '503', '504'])
        expect(operation.responses[status]?.description).toBeTruthy();
      expect('404' in operation.responses || inPath.length === 0).toBe(true);
      expect('413' in operation.responses).toBe('415' in operation.responses);
      if (method === 'get')
        for (const status of path === LARGE_RECORD ? ['413'] : ['413', '422'])
          expect(operation.responses).not.toHaveProperty(status);
      for (const requirement of operation.security)
        for (const scheme of Object.keys(requirement))
          expect(document.components.securitySchemes).toHaveProperty(scheme);
    },
  );

  it('lists exactly the errors that an endpoint can return', () => {
    const errorsOf = (id: string) => {
      const found = operations.find(({ operation }) => operation.operationId === id);
      return Object.keys(found?.operation.responses ?? {}).filter((status) => status !== '200');
    };
    const always = ['400', '429', '431', '500', '503', '504'];
    const sorted = (...more: string[]) => [...always, ...more].sort();
    expect(errorsOf('agents.listAgents')).toEqual(sorted('401', '403'));
    expect(errorsOf('api-keys.getCurrentApiKey')).toEqual(sorted('401'));
    expect(errorsOf('agents.getAgent')).toEqual(sorted('401', '403', '404'));
    expect(errorsOf('agents.enableAgent')).toEqual(sorted('401', '403', '404', '413', '415'));
    expect(errorsOf('agents.deleteAgent')).toEqual(sorted('401', '403', '404', '409', '413', '415'));
    expect(errorsOf('applications.deleteApplication')).toEqual(sorted('401', '403', '404', '409', '413', '415'));
    expect(errorsOf('agent-hooks.answerHook')).toEqual(sorted('404', '413', '415'));
    expect(errorsOf('agent-tasks.invokeAgent')).toEqual(sorted('401', '403', '404', '409', '413', '415', '422', '502'));
  });

  it('contains itself, the page that shows it, and the scope that each endpoint needs', () => {
    expect(document.paths['/openapi.json']?.get).toMatchObject({ security: [], 'x-required-scope': 'none' });
    expect(document.paths['/asyncapi.json']?.get).toMatchObject({ security: [], 'x-required-scope': 'none' });
    expect(document.paths['/docs']?.get).toMatchObject({ security: [], servers: [{ url: '/' }] });
    const scopes = Object.fromEntries(
      operations.map(({ operation }) => [operation.operationId, (operation as never)['x-required-scope']]),
    );
    for (const endpoint of open) expect(scopes[`${endpoint.contract}.${endpoint.name}`]).toBe(endpoint.scope);
    expect(document.paths['/api-keys']?.get).toMatchObject({ description: 'Scope: admin.' });
  });

  it('never names company_id as a body field of a public endpoint', () => {
    for (const { operation } of operations)
      walk(operation.requestBody ?? {}, (node) => expect(node).not.toHaveProperty('company_id'));
  });
});
