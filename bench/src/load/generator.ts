import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { answer } from '../measure/answer.js';
import { quantile } from '../measure/rounds.js';
import { Connection, headOf } from './connection.js';
import type { Load, LoadResult } from './protocol.js';

function shuffled(first: number, count: number): number[] {
  const ids = Array.from({ length: count }, (_, index) => first + index);
  for (let at = count - 1; at > 0; at--) {
    const other = Math.floor(Math.random() * (at + 1));
    [ids[at], ids[other]] = [ids[other] ?? first, ids[at] ?? first];
  }
  return ids;
}

/** Ids in random order, none twice before all were used. */
function idsOf({ first, count }: Load): () => number {
  let ids = shuffled(first, count);
  return () => {
    const id = ids.pop();
    if (id !== undefined) return id;
    ids = shuffled(first, count);
    return ids.pop() ?? first;
  };
}

function requestOf({ prefix, body, method = 'POST' }: Load, head: string, id: number): string {
  if (body === undefined) return `GET ${prefix}${id} HTTP/1.1\r\n${head}\r\n`;
  const text = body.replaceAll('{id}', String(id)).replaceAll('{uuid}', () => randomUUID());
  const length = Buffer.byteLength(text);
  return `${method} ${prefix.replace('{id}', String(id))} HTTP/1.1\r\n${head}content-type: application/json\r\ncontent-length: ${length}\r\n\r\n${text}`;
}

/**
 * The time from which each request counts. At a rate, a request that no connection could send when it was due counts
 * from then: a slow server would otherwise be measured by the requests that it did not receive.
 */
function paced({ rate }: Load, began: number): (now: number) => Promise<number> {
  if (rate === undefined) return (now) => Promise.resolve(now);
  let sent = 0;
  return async (now) => {
    const due = began + (sent++ * 1000) / rate;
    if (due <= now) return due;
    await sleep(due - now);
    return performance.now();
  };
}

async function generate(load: Load): Promise<LoadResult> {
  const nextId = idsOf(load);
  const head = headOf(load);
  const durations: number[] = [];
  let errors = 0;
  const began = performance.now();
  const end = began + load.seconds * 1000;
  const turn = paced(load, began);
  const ask = async (): Promise<void> => {
    let connection = new Connection(load.port);
    for (let now = performance.now(); now < end;) {
      const start = await turn(now);
      if (start >= end) break;
      const id = nextId();
      const { status, body } = await connection.ask(requestOf(load, head, id));
      const then = performance.now();
      durations.push(then - start);
      now = then;
      if (status !== load.status || !body.includes(load.expect.replaceAll('{id}', String(id)))) errors++;
      if (connection.closed) connection = new Connection(load.port);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: load.connections }, ask));
  const seconds = (performance.now() - began) / 1000;
  durations.sort((a, b) => a - b);
  return { requests: durations.length, seconds, errors, p50: quantile(durations, 0.5), p99: quantile(durations, 0.99) };
}

answer<Load>(generate, () => Promise.resolve());
