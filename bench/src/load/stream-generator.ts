import { connect, type Socket } from 'node:net';
import { answer } from '../measure/answer.js';
import { quantile } from '../measure/rounds.js';
import { headOf, STUCK_MS } from './connection.js';
import type { StreamLoad, StreamResult } from './protocol.js';

/** A token of the upstream: `t=<milliseconds of the clock that all processes share>;`. */
const TOKEN = /t=(\d+\.\d+);/g;
const END = /data: \[DONE\]\s/;
const LAST_CHUNK = '\r\n0\r\n\r\n';

const now = (): number => Number(process.hrtime.bigint()) / 1e6;

interface Seen {
  sent: number;
  receivedAt: number;
}

/** Reads one stream to its end; the tokens with the time each was sent and received. */
function read(socket: Socket, request: string): Promise<{ requestedAt: number; tokens: Seen[]; complete: boolean }> {
  return new Promise((resolve) => {
    const tokens: Seen[] = [];
    let text = '';
    let from = 0;
    const requestedAt = now();
    const settle = (complete: boolean): void => {
      socket.removeAllListeners('data').removeAllListeners('close').removeAllListeners('timeout');
      resolve({ requestedAt, tokens, complete });
    };
    socket.on('data', (chunk: string) => {
      const receivedAt = now();
      text += chunk;
      TOKEN.lastIndex = from;
      for (let match = TOKEN.exec(text); match; match = TOKEN.exec(text)) {
        tokens.push({ sent: Number(match[1]), receivedAt });
        from = TOKEN.lastIndex;
      }
      if (text.endsWith(LAST_CHUNK)) settle(END.test(text));
    });
    socket.once('close', () => settle(false));
    socket.once('timeout', () => socket.destroy());
    socket.write(request, 'latin1');
  });
}

async function generate(load: StreamLoad): Promise<StreamResult> {
  const { port, path, body, connections, streams } = load;
  const length = Buffer.byteLength(body);
  const head = `${headOf(load)}content-type: application/json\r\ncontent-length: ${length}\r\n`;
  const request = `POST ${path} HTTP/1.1\r\n${head}\r\n${body}`;
  const first: number[] = [];
  const gaps: number[] = [];
  let errors = 0;
  const ask = async (): Promise<void> => {
    let socket = open(port);
    for (let stream = 0; stream < streams; stream++) {
      const { requestedAt, tokens, complete } = await read(socket, request);
      if (!complete || tokens.length !== load.tokens) errors++;
      if (tokens[0]) first.push(tokens[0].receivedAt - requestedAt);
      tokens.forEach(({ sent, receivedAt }, at) => {
        const before = tokens[at - 1];
        if (before) gaps.push(receivedAt - before.receivedAt - (sent - before.sent));
      });
      if (socket.destroyed) socket = open(port);
    }
    socket.destroy();
  };
  await Promise.all(Array.from({ length: connections }, ask));
  first.sort((a, b) => a - b);
  gaps.sort((a, b) => a - b);
  return { requests: first.length, errors, firstToken: quantile(first, 0.5), gapP99: quantile(gaps, 0.99) };
}

function open(port: number): Socket {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  socket.on('error', () => undefined);
  return socket.setEncoding('latin1').setTimeout(STUCK_MS);
}

answer<StreamLoad>(generate, () => Promise.resolve());
