import { createServer, type Socket } from 'node:net';
import { answer } from '../measure/answer.js';
import { replyTo, STREAM_GAP_MS, STREAM_TOKENS } from './chat-call.js';

// The model provider: as little work as possible, since it shares the processors with the measured processes. It reads
// only what framing needs, repeats the id of each request, and stamps every token of a stream.

const latencyMs = Number(process.env.LATENCY ?? 0);
const HEAD_END = '\r\n\r\n';

function completion(id: string): string {
  const message = { role: 'assistant', content: replyTo(id), refusal: null };
  return JSON.stringify({
    id: `chatcmpl-${id}`,
    object: 'chat.completion',
    created: 1_760_000_000,
    model: 'bench-model',
    choices: [{ index: 0, message, logprobs: null, finish_reason: 'stop' }],
    usage: { prompt_tokens: 120, completion_tokens: 96, total_tokens: 216 },
    system_fingerprint: 'fp_bench',
  });
}

function reply(socket: Socket, body: string): void {
  const text = completion(/question (\d+)/.exec(body)?.[1] ?? '?');
  socket.write(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`);
}

const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

function frame(delta: object, finish_reason: string | null = null): string {
  const data = {
    id: 'chatcmpl-stream',
    object: 'chat.completion.chunk',
    created: 1_760_000_000,
    model: 'bench-model',
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
  };
  return chunk(`data: ${JSON.stringify(data)}\n\n`);
}

function stream(socket: Socket): void {
  socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n');
  let sent = 0;
  const next = (): void => {
    if (socket.destroyed) return;
    if (sent++ < STREAM_TOKENS) {
      const stamp = (Number(process.hrtime.bigint()) / 1e6).toFixed(4);
      socket.write(frame({ content: `t=${stamp};` }));
      setTimeout(next, STREAM_GAP_MS);
    } else socket.write(`${frame({}, 'stop')}${chunk('data: [DONE]\n\n')}0\r\n\r\n`);
  };
  next();
}

/** Clients keep their connections open. */
const sockets = new Set<Socket>();

function serve(socket: Socket): void {
  let received = '';
  sockets.add(socket);
  socket.on('close', () => sockets.delete(socket));
  socket.setNoDelay(true).setEncoding('latin1');
  socket.on('error', () => undefined);
  socket.on('data', (bytes: string) => {
    received += bytes;
    const end = received.indexOf(HEAD_END);
    if (end < 0) return;
    const length = Number(/\ncontent-length: *(\d+)/i.exec(received.slice(0, end))?.[1] ?? 0);
    const from = end + HEAD_END.length;
    if (received.length < from + length) return;
    const body = received.slice(from, from + length);
    received = received.slice(from + length);
    const give = (): void => (/"stream":\s*true/.test(body) ? stream(socket) : reply(socket, body));
    if (latencyMs > 0) setTimeout(give, latencyMs);
    else give();
  });
}

const server = createServer(serve).listen(Number(process.env.PORT), '127.0.0.1', () =>
  answer(
    () => Promise.resolve(null),
    () => {
      server.close();
      sockets.forEach((socket) => socket.destroy());
      return Promise.resolve();
    },
  ),
);
