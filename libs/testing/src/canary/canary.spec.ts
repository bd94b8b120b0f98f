import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Canaries } from './canaries.js';
import { CanarySearch } from './families/canary-search.js';

const canaries = new Canaries();
const value = canaries.next();
const spellings: [string, string][] = [
  ['plain', value],
  ['backwards', [...value].reverse().join('')],
  ['in a URL', encodeURIComponent(value)],
  ['in a form', new URLSearchParams({ value }).toString()],
  ['in JSON', JSON.stringify({ value })],
  ['in JSON within JSON', JSON.stringify(JSON.stringify({ value }))],
  ['hex', Buffer.from(value).toString('hex')],
  ['HEX', Buffer.from(value).toString('hex').toUpperCase()],
  ...['', 'a', 'ab'].map((before): [string, string] => [
    `base64 after ${before.length} bytes`,
    Buffer.from(before + value).toString('base64'),
  ]),
  ['base64url', Buffer.from(value).toString('base64url')],
  ['the beginning alone', value.slice(0, 20)],
  ['UTF-16', Buffer.from(value, 'utf16le').toString('latin1')],
];

describe('the search for canaries', () => {
  it.each(spellings)('finds one that is %s', (_name, text) => {
    const search = new CanarySearch(canaries.encodings());
    search.bytes('here', 'there', Buffer.from(`before ${text} after`, 'latin1'));
    expect(search.places()).toEqual(['here']);
  });

  it('finds nothing in clean data, and reports how much it has read', () => {
    const search = new CanarySearch(canaries.encodings());
    search.text('here', 'there', `${new Canaries().next()} [secret]`);
    expect(search.matches).toEqual([]);
    expect(search.searched['here']).toBeGreaterThan(30);
  });

  it('finds one that lies across two chunks of a large file', async () => {
    const root = await mkdtemp(join(tmpdir(), 'canary-'));
    await mkdir(join(root, 'logs'));
    const filler = 'x'.repeat((1 << 20) - 7);
    await writeFile(join(root, 'logs', 'one.log'), `${filler}${value}${filler}`);
    const search = new CanarySearch(canaries.encodings());
    await search.tree(root);
    expect(search.matches).toMatchObject([{ place: 'logs', where: 'logs/one.log', encoding: 'plain' }]);
    expect(search.searched['logs']).toBe(2 * filler.length + value.length);
    await rm(root, { recursive: true });
  });
});
