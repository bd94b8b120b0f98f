import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import { EVENTS, type JsonSchema } from '@signalbox/contracts';
import { asyncApi } from '../src/docs/asyncapi.js';

const require = createRequire(import.meta.url);
/** The schema that the AsyncAPI initiative publishes for AsyncAPI documents. */
const specification = JSON.parse(
  readFileSync(require.resolve('@asyncapi/specs/schemas/3.0.0-without-$id.json'), 'utf8'),
) as object;

interface Document {
  channels: Record<string, { address: string; messages: Record<string, { $ref: string }> }>;
  operations: Record<string, { action: string; channel: { $ref: string }; messages: { $ref: string }[] }>;
  components: { messages: Record<string, { name: string }>; schemas: Record<string, JsonSchema> };
}

const document = asyncApi(EVENTS) as unknown as Document;
const names = EVENTS.flatMap(({ declared }) => Object.keys(declared));

function target(reference: string): unknown {
  return reference
    .slice(2)
    .split('/')
    .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], document);
}

function references(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    key === '$ref' && typeof child === 'string' ? [child] : references(child),
  );
}

describe('the AsyncAPI document', () => {
  it('satisfies the published schema of AsyncAPI 3.0', () => {
    const ajv = new Ajv({ strict: false, logger: false, allErrors: true, validateFormats: false });
    const valid = ajv.compile(specification);
    valid(JSON.parse(JSON.stringify(document)));
    expect(valid.errors ?? []).toEqual([]);
    expect(valid({ ...document, channels: { broken: { address: 1 } } })).toBe(false);
  });

  it('has a channel, an operation and a message for each declared event', () => {
    expect(Object.values(document.components.messages).map(({ name }) => name)).toEqual(names);
    expect(Object.values(document.channels).map(({ address }) => address)).toEqual(
      names.map((name) => `events.{company_id}.${name}`),
    );
    expect(Object.keys(document.operations)).toEqual(Object.keys(document.channels));
  });

  it('has no dangling reference', () => {
    const all = references(document);
    expect(all.length).toBeGreaterThan(names.length);
    expect(all.filter((reference) => target(reference) === undefined)).toEqual([]);
  });
});
