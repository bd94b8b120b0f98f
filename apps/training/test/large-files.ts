import { request } from 'node:http';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { lineOf, type World } from './world.js';

/** Lines of an upload that are no rows, by the number of good rows after which each comes. */
export type BadLines = ReadonlyMap<number, string>;

const FILLER = 'the answer to a question of a customer who wants to know when an order arrives; '.repeat(12);
/** Lines that are written together. */
const BATCH = 500;

/** The numbers of the rows of a file, each seen once. */
export interface SeenRows {
  lines: number;
  /** Rows that occurred twice or are unknown. */
  wrong: number;
  seen: Uint8Array;
}

const questionOf = (n: number): string => `question ${n}`;

/** Sends a file of numbered rows that is never in memory as a whole; resolves with the reply. */
export function uploadRows(world: World, datasetId: number, from: number, count: number, bad: BadLines) {
  const url = new URL(`${world.platform.baseUrl}/datasets/${datasetId}/upload`);
  const headers = { 'X-Service-Api-Key': world.key, 'Content-Type': 'application/jsonl' };
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers }, (reply) => {
      let text = '';
      reply.setEncoding('utf8').on('data', (part: string) => (text += part));
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, text }));
    });
    sent.on('error', reject);
    void (async () => {
      for (let at = 0; at < count && !sent.destroyed; at += BATCH) {
        const last = Math.min(at + BATCH, count);
        let text = '';
        for (let n = at; n < last; n++) text += `${lineOf(questionOf(from + n), FILLER)}${bad.get(n + 1) ?? ''}`;
        if (!sent.write(text)) await new Promise((drained) => sent.once('drain', drained).once('close', drained));
      }
      sent.end();
    })();
  });
}

/** How an export is read: at which gateway, and with a pause between its lines. */
interface Reading {
  baseUrl?: string;
  afterLine?: (lines: number) => Promise<void> | undefined;
}

/** Reads an export line by line and notes which rows of `seen` it has. */
export async function readRows(world: World, path: string, seen: Uint8Array, how: Reading = {}): Promise<SeenRows> {
  const body = await download(`${how.baseUrl ?? world.platform.baseUrl}${path}`, world.key);
  const rows: SeenRows = { lines: 0, wrong: 0, seen };
  for await (const line of createInterface({ input: body, crlfDelay: Infinity })) {
    rows.lines++;
    await how.afterLine?.(rows.lines);
    const { messages } = JSON.parse(line) as { messages: { content: string }[] };
    const n = Number(messages[0]?.content.slice(questionOf(0).length - 1));
    if (messages[1]?.content !== FILLER || !(n < seen.length) || seen[n] === 1) rows.wrong++;
    else seen[n] = 1;
  }
  return rows;
}

function download(url: string, key: string): Promise<Readable> {
  return new Promise((resolve, reject) => {
    request(url, { headers: { 'X-Service-Api-Key': key } }, (reply) => {
      if (reply.statusCode === 200) resolve(reply);
      else reject(new Error(`${url} replied ${reply.statusCode}`));
    })
      .on('error', reject)
      .end();
  });
}
