/** The ids that the floods address, all of one company. */
export interface Flooded {
  agentId: number;
  /** A workflow whose runs start 32 others and wait for them. */
  nestingId: number;
  /** A workflow whose input has a schema with a slow pattern. */
  strictId: number;
  testSetId: number;
}

/** One request of a flood. */
export interface FloodRequest {
  method?: 'POST' | 'PUT';
  path: string;
  body: string;
  contentType?: string;
  limitMs: number;
  /** What the reply contains when the work was done; by default its status tells. */
  expect?: string;
}

/** Requests of one kind over some connections, each of which sends the next one when the last is answered. */
export interface Flood {
  connections: number;
  next: (time: number) => FloodRequest;
}

const LIMIT_MS = 20_000;

/** A script of 200 kB that has to be compiled; no two are equal. */
const largeScript = (time: number): string =>
  `// ${time}\n${Array.from({ length: 4000 }, (_, at) => `export const value${at}: number = ${at} + ${time};`).join('\n')}
export async function execute(ctx: { input: unknown }) { return ctx.input; }\n`;

/** The flood of webhooks is that of the events for a target that never answers. */
export const DEAD_PATH = '/dead';
export const STRICT_SCHEMA = { type: 'string', pattern: '^(?=(a+)+$)b' };
export const LEAF = 'function execute(ctx) { for (let n = 0; n < 200000; n++); return 1 }';
export const NESTING = `async function execute(ctx) {
  await Promise.all(Array.from({ length: 32 }, () => ctx.workflows.execute('leaf', {})));
  return 1;
}`;

const json = (path: string, body: object, method: 'POST' | 'PUT' = 'POST'): FloodRequest => ({
  ...{ method, path, body: JSON.stringify(body), limitMs: LIMIT_MS },
});

/** Every flood by name. */
export function floodsOn({ agentId, nestingId, strictId, testSetId }: Flooded): Record<string, Flood> {
  const text = 'a'.repeat(900_000);
  const routing = json(`/agents/${agentId}/routing/test`, { messages: [{ role: 'user', content: text }] });
  const chat = json('/chat/completions', { model: 'simulated-echo', messages: [{ role: 'user', content: text }] });
  const rows = `${JSON.stringify({ input: { input: 'x'.repeat(20_000) } })}\n`.repeat(50);
  return {
    validations: {
      connections: 16,
      next: (time) => json('/workflows/validate', { language: 'typescript', script: largeScript(time) }),
    },
    'nested scripts': {
      connections: 16,
      // A run that has failed is replied to with 200 as well.
      next: () => ({
        ...json(`/workflows/${nestingId}/execute`, { input: {}, mode: 'sync' }),
        expect: '"status":"COMPLETED"',
      }),
    },
    schemas: {
      connections: 16,
      next: () => json(`/workflows/${strictId}/execute`, { input: `${'a'.repeat(40)}!`, mode: 'sync' }),
    },
    'large texts': { connections: 8, next: (time) => (time % 2 ? routing : chat) },
    'webhooks to a dead address': {
      connections: 8,
      next: (time) => json(`/agents/${agentId}`, { agent_name: `renamed ${time}` }, 'PUT'),
    },
    uploads: {
      connections: 8,
      next: () => ({
        path: `/unified-test-sets/${testSetId}/import-file`,
        body: rows,
        contentType: 'application/jsonl',
        limitMs: LIMIT_MS,
      }),
    },
  };
}
