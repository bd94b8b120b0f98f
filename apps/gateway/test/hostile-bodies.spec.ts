import { connect, type Socket } from 'node:net';
import { readFile } from 'node:fs/promises';
import { eventually, Platform } from '@signalbox/testing';
import { ask } from './client.js';

let platform: Platform;
let key: string;
beforeAll(async () => {
  platform = await Platform.shared(['accounts', 'gateway']);
  key = (await platform.company('Acme')).key;
}, 60_000);
afterAll(() => platform?.stop());

const MIB = 1_048_576;
/** Below the 10 MiB of a large body, in as many items as fit. */
const filled = (open: string, item: string, close: string): string =>
  open + item.repeat(Math.floor((9.4 * MIB) / item.length)) + item.replace(',', '') + close;

/** Resident memory of the gateway in MiB. */
async function residentMib(): Promise<number> {
  const status = await readFile(`/proc/${platform.service('gateway').pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

describe('a body of millions of items', () => {
  it.each<[string, string, string]>([
    ['a list of numbers for messages', '/chat/completions', filled('{"messages":[', '1,', ']}')],
    ['a list of objects for messages', '/chat/completions', filled('{"messages":[', '{},', ']}')],
    ['an unknown key', '/chat/completions', filled('{"messages":[],"nope":[', '1,', ']}')],
    ['many unknown keys', '/agents/import', filled('{', '"a":1,', '}')],
    ['a list where an object is due', '/agents/import', filled('{"agent":[', '1,', ']}')],
    ['lists in an object without bounds', '/agents/1/invoke', filled('{"state":{"a":[', '[],', ']}}')],
    ['a list instead of an object', '/agents/1/invoke', filled('[', '0,', ']')],
  ])(
    'is refused at once: %s',
    async (_what, path, body) => {
      const answer = await ask(platform, 'POST', `/api/v1${path}`, { key, body });
      expect([answer.status, answer.body]).toEqual([
        400,
        { error: expect.objectContaining({ message: expect.stringContaining('keys and list elements') }) },
      ]);
      // The refusal names the scan, which is before anything is parsed; without it the gateway ends.
      expect(platform.service('gateway').running).toBe(true);
    },
    30_000,
  );

  it('leaves no more memory in use than before', async () => {
    // Parsed, each of the bodies takes more than that.
    await eventually('the memory is given back', async () => (await residentMib()) < 450);
  });
});

describe('bodies that do not end', () => {
  const open = (path: string, length: number): { socket: Socket; status: Promise<number> } => {
    const socket = connect(platform.port, '127.0.0.1');
    let text = '';
    const status = new Promise<number>((resolve) => {
      const done = (): void => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0));
      socket.on('data', (part) => {
        text += part.toString();
        if (text.includes('\r\n\r\n')) done();
      });
      socket.on('close', done).on('error', done);
    });
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Service-Api-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`,
    );
    return { socket, status };
  };

  it('hold a bounded number of bytes: 503 above, while others are served', async () => {
    const before = await residentMib();
    const part = Buffer.alloc(9 * MIB, ' ');
    const many = Array.from({ length: 150 }, () => open('/api/v1/chat/completions', 10 * MIB));
    for (const { socket } of many) socket.write(part);
    const refused = await eventually('those above the limit are refused', async () => {
      const all = await Promise.all(many.map(({ status }) => Promise.race([status, Promise.resolve(-1)])));
      const done = all.filter((status) => status >= 0);
      return done.length >= 50 ? done : undefined;
    });
    expect(new Set(refused.filter((status) => status !== 0))).toEqual(new Set([503]));
    // Half of what was sent.
    expect((await residentMib()) - before).toBeLessThan(675);
    expect((await ask(platform, 'GET', '/api/v1/company', { key })).status).toBe(200);
    for (const { socket } of many) socket.destroy();
    await eventually('large bodies are read again', async () => {
      const body = `{"nope":"${'x'.repeat(2 * MIB)}"}`;
      return (await ask(platform, 'POST', '/api/v1/agents/1/invoke', { key, body })).status === 400;
    });
  }, 60_000);

  it('are read a few at a time when they are large, the others in turn or not at all', async () => {
    const body = `{"nope":"${'x'.repeat(3 * MIB)}"}`;
    const all = await Promise.all(
      Array.from({ length: 20 }, () => ask(platform, 'POST', '/api/v1/agents/1/invoke', { key, body })),
    );
    // Those that wait longer than five seconds for a slot are refused; how many depends on the machine.
    const statuses = all.map(({ status }) => status);
    expect(new Set([...statuses, 400, 503])).toEqual(new Set([400, 503]));
    expect(statuses.filter((status) => status === 400).length).toBeGreaterThanOrEqual(4);
  }, 60_000);
});
