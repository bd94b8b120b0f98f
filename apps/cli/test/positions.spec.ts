import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readCatalog } from '../src/client/catalog.js';
import { REPOSITORY } from '../src/launcher/services.js';

interface Field {
  name: string;
  in: string;
  required?: boolean;
}

type PositionsOf = (command: string, fields: Field[], recorded?: string[]) => string[];

const { positionsOf } = (await import(pathToFileURL(join(REPOSITORY, 'tools/clients/positions.mjs')).href)) as {
  positionsOf: PositionsOf;
};
const recorded = JSON.parse(readFileSync(join(REPOSITORY, 'apps/cli/positions.json'), 'utf8')) as Record<
  string,
  string[]
>;

const field = (name: string, required = true, where = 'body'): Field => ({ name, in: where, required });
const id = field('agent_id', true, 'path');

describe('the words of a command without a name', () => {
  it('are those of the path, then required fields, then a message, when the command is new', () => {
    expect(positionsOf('a b', [field('message', false), field('name'), id])).toEqual(['agent_id', 'name', 'message']);
  });

  it('keep their order when the contract requires more, moves fields or requires one no longer', () => {
    const order = ['agent_id', 'name'];
    expect(positionsOf('a b', [field('kind'), field('name'), id], order)).toEqual([...order, 'kind']);
    expect(positionsOf('a b', [field('name', false), id], order)).toEqual(order);
  });

  it('are an error when one of them is gone, which would move those behind it', () => {
    expect(() => positionsOf('a b', [field('name')], ['agent_id', 'name'])).toThrow('has no field agent_id any more');
  });

  it('are recorded for every command', () => {
    const served = Object.entries(readCatalog()).flatMap(([family, verbs]) =>
      Object.entries(verbs).map(([verb, { positions = [] }]) => [`${family} ${verb}`, positions]),
    );
    expect(Object.fromEntries(served)).toEqual(recorded);
  });
});
