import { connect } from 'node:net';
import { timeScale } from '../platform/platform.js';

export interface Answer {
  text: string;
  ms: number;
  /** Still open at the time-out. */
  hung: boolean;
  /** An event stream began; the client closed it on purpose. */
  streaming: boolean;
  /** The client ended its side first, because the bytes may not have been a whole request. */
  givenUp: boolean;
}

export interface WireReply {
  status: number;
  headers: Map<string, string>;
  body: string;
}

/** On a machine with free processors. */
const HANG_MS = 15_000;
const STREAM_MS = 50;
const QUIET_MS = 250;

/**
 * Reads until the server closes; an event stream is closed once it has begun. When the bytes may be less than a
 * request, the sending side is closed after some silence.
 */
export function exchange(port: number, bytes: Buffer, whole: boolean): Promise<Answer> {
  return new Promise((resolve) => {
    const started = performance.now();
    const parts: Buffer[] = [];
    let streaming = false;
    let givenUp = false;
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const finish = (hung: boolean): void => {
      clearTimeout(timer);
      clearTimeout(quiet);
      socket.destroy();
      const text = Buffer.concat(parts).toString('utf8');
      resolve({ text, ms: performance.now() - started, hung, streaming, givenUp });
    };
    const timer = setTimeout(() => finish(true), HANG_MS * timeScale());
    const giveUp = (): void => {
      givenUp = true;
      socket.end();
    };
    const quiet = whole ? undefined : setTimeout(giveUp, QUIET_MS);
    socket.on('data', (part: Buffer) => {
      parts.push(part);
      quiet?.refresh();
      if (streaming || !/content-type: text\/event-stream/i.test(part.toString('latin1'))) return;
      streaming = true;
      setTimeout(() => finish(false), STREAM_MS);
    });
    socket.on('end', () => finish(false));
    socket.on('error', () => finish(false));
    socket.write(bytes);
  });
}

function unchunked(text: string): { body: string; rest: string } {
  let bytes = Buffer.from(text);
  const parts: Buffer[] = [];
  for (;;) {
    const line = bytes.indexOf('\r\n');
    const size = line < 0 ? Number.NaN : parseInt(bytes.subarray(0, line).toString(), 16);
    if (!(size > 0)) return { body: Buffer.concat(parts).toString(), rest: bytes.subarray(line + 4).toString() };
    parts.push(bytes.subarray(line + 2, line + 2 + size));
    bytes = bytes.subarray(line + 4 + size);
  }
}

/** In order; bytes that are no response are last, as status 0. */
export function repliesIn(text: string, noBody = false): WireReply[] {
  if (text === '') return [];
  const end = text.indexOf('\r\n\r\n');
  const [line = '', ...lines] = text.slice(0, end).split('\r\n');
  const status = end < 0 ? 0 : Number(/^HTTP\/1\.1 (\d{3})( |$)/.exec(line)?.[1] ?? 0);
  if (status === 0) return [{ status, headers: new Map(), body: text }];
  const headers = new Map(
    lines.map((each) => [each.split(':')[0]?.toLowerCase() ?? '', each.replace(/^[^:]*:\s*/, '')]),
  );
  const after = text.slice(end + 4);
  if (status === 100) return repliesIn(after, noBody);
  if (noBody || status === 204 || status === 304) return [{ status, headers, body: '' }, ...repliesIn(after)];
  if (headers.get('transfer-encoding') === 'chunked') {
    const { body, rest } = unchunked(after);
    return [{ status, headers, body }, ...repliesIn(rest)];
  }
  const length = Number(headers.get('content-length') ?? Number.NaN);
  const bytes = Buffer.from(after);
  if (Number.isNaN(length)) return [{ status, headers, body: after }];
  return [
    { status, headers, body: bytes.subarray(0, length).toString() },
    ...repliesIn(bytes.subarray(length).toString()),
  ];
}
