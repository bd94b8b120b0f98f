import { answer } from '../measure/child.js';
import { Connection } from './connection.js';
import type { Load, LoadResult } from './protocol.js';

function shuffled(first: number, count: number): number[] {
  const ids = Array.from({ length: count }, (_, index) => first + index);
  for (let at = count - 1; at > 0; at--) {
    const other = Math.floor(Math.random() * (at + 1));
    [ids[at], ids[other]] = [ids[other] ?? first, ids[at] ?? first];
  }
  return ids;
}

/** Ids in random order, none twice before all were given. */
function idsOf({ first, count }: Load): () => number {
  let ids = shuffled(first, count);
  return () => {
    const id = ids.pop();
    if (id !== undefined) return id;
    ids = shuffled(first, count);
    return ids.pop() ?? first;
  };
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

async function generate(load: Load): Promise<LoadResult> {
  const nextId = idsOf(load);
  const head = Object.entries({ host: `127.0.0.1:${load.port}`, ...load.headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  const took: number[] = [];
  let errors = 0;
  const began = performance.now();
  const end = began + load.seconds * 1000;
  const ask = async (): Promise<void> => {
    let connection = new Connection(load.port);
    for (let now = performance.now(); now < end;) {
      const id = nextId();
      const { status, body } = await connection.ask(`GET ${load.prefix}${id} HTTP/1.1\r\n${head}\r\n`);
      const then = performance.now();
      took.push(then - now);
      now = then;
      if (status !== load.status || !body.includes(load.expect.replaceAll('{id}', String(id)))) errors++;
      if (connection.closed) connection = new Connection(load.port);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: load.connections }, ask));
  const seconds = (performance.now() - began) / 1000;
  took.sort((a, b) => a - b);
  return { requests: took.length, seconds, errors, p50: quantile(took, 0.5), p99: quantile(took, 0.99) };
}

answer<Load>(generate, () => Promise.resolve());
