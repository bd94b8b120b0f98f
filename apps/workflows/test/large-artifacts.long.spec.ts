import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { Platform } from '@signalbox/testing';
import { ECHO } from './world.js';

const MIB = 1_048_576;
const SIZE = 50 * MIB;
/** Together they are more than what the services may grow by. */
const FILES = 4;
const BOUNDARY = 'boundary';

let platform: Platform;
let key: string;
beforeAll(async () => {
  platform = await Platform.start({
    services: ['accounts', 'traffic', 'agents', 'monitors', 'workflows', 'runner', 'gateway'],
  });
  ({ key } = await platform.company());
}, 120_000);
afterAll(() => platform?.stop());

/** The memory of a service in MiB. */
async function rssOf(name: 'workflows' | 'gateway'): Promise<number> {
  const status = await readFile(`/proc/${platform.service(name).pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** The highest memory of both services while something happens. */
async function peakWhile<T>(work: Promise<T>): Promise<{ result: T; workflows: number; gateway: number }> {
  const peak = { workflows: 0, gateway: 0 };
  let isOver = false;
  const watched = (async () => {
    while (!isOver) {
      for (const name of ['workflows', 'gateway'] as const) peak[name] = Math.max(peak[name], await rssOf(name));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  try {
    return { result: await work, ...peak };
  } finally {
    isOver = true;
    await watched;
  }
}

const chunk = (index: number): Buffer => Buffer.alloc(MIB, `chunk ${index} `);

/** Sends a file that is never in memory as a whole; resolves with the reply. */
function upload(id: number, size: number, name = 'big.bin'): Promise<{ status: number; body: string; sha256: string }> {
  const hash = createHash('sha256');
  const part = (head: string): string => `--${BOUNDARY}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`;
  const url = new URL(`${platform.baseUrl}/workflows/${id}/artifacts`);
  const headers = { 'X-Service-Api-Key': key, 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers }, (reply) => {
      let body = '';
      reply.setEncoding('utf8').on('data', (text: string) => (body += text));
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, body, sha256: hash.copy().digest('hex') }));
    });
    sent.on('error', reject);
    void (async () => {
      sent.write(`${part('name="key"')}${name}\r\n${part('name="file"; filename="big.bin"')}`);
      for (let at = 0; at < size && !sent.destroyed; at += MIB) {
        const bytes = chunk(at / MIB).subarray(0, size - at);
        hash.update(bytes);
        if (!sent.write(bytes)) await new Promise((drained) => sent.once('drain', drained).once('close', drained));
      }
      sent.end(`\r\n--${BOUNDARY}--\r\n`);
    })();
  });
}

async function download(path: string): Promise<{ sha256: string; length: number }> {
  const reply = await fetch(`${platform.baseUrl}${path}`, { headers: { 'X-Service-Api-Key': key } });
  const hash = createHash('sha256');
  let length = 0;
  for await (const bytes of reply.body as unknown as AsyncIterable<Uint8Array>) {
    hash.update(bytes);
    length += bytes.length;
  }
  return { sha256: hash.digest('hex'), length };
}

async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

it('passes through in both directions without being in memory, and one that is larger is refused', async () => {
  const flow = { workflow_ref_name: 'flow', script: ECHO };
  const { id } = await platform.api(key).data<{ id: number }>('POST', '/workflows', flow);
  // What the first part costs is loaded code, which stays.
  await upload(id, MIB);
  const before = { workflows: await rssOf('workflows'), gateway: await rssOf('gateway') };
  const each = Array.from({ length: FILES }, (_, at) => at);
  const stored = await peakWhile(inTurn(each, (at) => upload(id, SIZE, `big-${at}.bin`)));
  const artifacts = stored.result.map(({ status, body, sha256 }) => {
    expect(status).toBe(200);
    const { data } = JSON.parse(body) as { data: { id: number; size_bytes: number; sha256: string } };
    expect(data).toMatchObject({ size_bytes: SIZE, sha256 });
    return data;
  });
  const read = await peakWhile(inTurn(artifacts, (made) => download(`/workflows/${id}/artifacts/${made.id}/content`)));
  expect(read.result).toEqual(artifacts.map(({ sha256 }) => ({ length: SIZE, sha256 })));
  // The gateway encodes each part for the bus, and what it leaves behind is collected late.
  const limits = { workflows: 60, gateway: 120 };
  for (const name of ['workflows', 'gateway'] as const) {
    const growth = Math.max(stored[name], read[name]) - before[name];
    process.stdout.write(`${name}: ${Math.round(before[name])} MiB, grew by ${Math.round(growth)} MiB\n`);
    expect(growth).toBeLessThan(limits[name]);
  }
  expect((await upload(id, SIZE + MIB)).status).toBe(413);
}, 240_000);
