import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { DEPLOYED } from '../../src/launcher/services.js';
import { parsedFile, VALUES } from '../chart.js';
import { ROOT } from '../manifests.js';

const schema = parsedFile('values.schema.json');
const defaults = parsedFile('values.yaml');
const validate = new Ajv({ strictTypes: false }).compile(schema);

interface ObjectSchema {
  type?: unknown;
  properties?: object;
  additionalProperties?: unknown;
}

describe('the values of the chart', () => {
  it.each(['values.yaml', ...VALUES.map((name) => `ci/${name}-values.yaml`)])('are valid in %s', (file) => {
    validate(parsedFile(file));
    expect(validate.errors ?? []).toEqual([]);
  });

  it('are of the version of the platform', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect(parsedFile('Chart.yaml')).toMatchObject({ version, appVersion: version });
  });

  it('are refused with an unknown key or a value of the wrong type', () => {
    const wrong = [
      { gateway: {} },
      { config: { EGRES_ALLOW: '' } },
      { services: { gateway: { replica: 2 } } },
      { defaults: { replicas: '2' } },
      { nats: { url: 'http://nats:4222' } },
      { patches: [{ kind: 'Deployment', patch: {} }] },
    ];
    expect(wrong.filter((values) => validate(values))).toEqual([]);
    const open: unknown[] = [];
    JSON.stringify(schema, (_, each: ObjectSchema) => {
      if (each?.properties && each.type === 'object' && each.additionalProperties !== false) open.push(each);
      return each;
    });
    expect(open).toEqual([]);
  });

  it('have a default for every key of the schema', () => {
    const { global: _, ...properties } = schema.properties as Record<string, { properties?: object }>;
    expect(Object.keys(defaults).sort()).toEqual(Object.keys(properties).sort());
    const config = Object.keys(properties.config!.properties!);
    expect(Object.keys(defaults.config as object).sort()).toEqual(config.sort());
    expect(Object.keys(defaults.services as object).sort()).toEqual(DEPLOYED.map(({ name }) => name).sort());
  });
});
