import { connect, type Socket } from 'node:net';

export interface Login {
  user: string;
  password: string;
}

interface Exchange {
  login: Login;
  limitMs: number;
  commands: string;
  /** Null for success, a reason for failure, undefined while undecided; may send more. */
  read(output: string, send: (commands: string) => void): string | null | undefined;
}

/** Speaks the NATS protocol directly: without the client library a launcher is less than half the size. */
function exchange(port: number, { login, limitMs, commands, read }: Exchange): Promise<string | null> {
  return new Promise((resolve) => {
    const socket: Socket = connect({ host: '127.0.0.1', port });
    let output = '';
    let greeted = false;
    const end = (outcome: string | null): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(outcome);
    };
    const timer = setTimeout(() => end(`no reply within ${limitMs / 1000} s`), limitMs);
    socket.on('error', (error) => end(error.message));
    socket.on('close', () => end('the connection was closed'));
    socket.on('data', (chunk) => {
      output += chunk.toString('latin1');
      if (!greeted && output.startsWith('INFO ')) {
        greeted = true;
        const credentials = { user: login.user, pass: login.password };
        const options = { verbose: false, pedantic: false, headers: true, no_responders: true, ...credentials };
        socket.write(`CONNECT ${JSON.stringify(options)}\r\n${commands}`);
      }
      const refused = /^-ERR (.*)\r$/m.exec(output);
      const outcome = refused ? (refused[1] ?? '') : read(output, (more) => socket.write(more));
      if (outcome !== undefined) end(outcome);
    });
  });
}

export async function answersPing(port: number, login: Login): Promise<boolean> {
  const read = (output: string) => (output.includes('\r\nPONG\r\n') ? null : undefined);
  return (await exchange(port, { login, limitMs: 1000, commands: 'PING\r\n', read })) === null;
}

export const PROBE_USER = 'probe';
/** No consumer may have this subject in its filter. */
const probeSubject = (stream: string): string => `probe.${stream.toLowerCase()}`;

/** For a stream of its own, which holds one message, and for those of the platform. */
export const probePermissions = (streams: readonly string[]) => ({
  publish: [
    ...['$JS.API.STREAM.CREATE.PROBE', 'probe'],
    ...streams.flatMap((stream) => [probeSubject(stream), `$JS.API.STREAM.PURGE.${stream}`]),
  ],
  subscribe: ['_INBOX.probe.>'],
});

const STREAM = {
  name: 'PROBE',
  subjects: ['probe'],
  storage: 'file',
  retention: 'limits',
  discard: 'old',
  max_msgs: 1,
};
/** Larger than the free part of a disk block that is already allocated. */
const PROBE_BYTES = 16_384;
const STORE_LIMIT_MS = 3000;

const publish = (subject: string, reply: string, payload: string): string =>
  `PUB ${subject} ${reply} ${Buffer.byteLength(payload)}\r\n${payload}\r\n`;

function payloadOn(subject: string, output: string): { error?: { description?: string } } | undefined {
  const head = new RegExp(`^MSG ${subject.replaceAll('.', '\\.')} \\S+ +(\\d+)\r\n`, 'm').exec(output);
  if (!head) return undefined;
  const start = head.index + head[0].length;
  const length = Number(head[1]);
  if (output.length < start + length) return undefined;
  return JSON.parse(output.slice(start, start + length)) as { error?: { description?: string } };
}

/**
 * Stores a message in JetStream like any publisher; null when it is stored, else the reason. After its disk was full
 * once, a server refuses messages until it is restarted, although it runs and replies to pings.
 */
export function storesMessages(port: number, login: Login): Promise<string | null> {
  const [created, stored] = ['_INBOX.probe.created', '_INBOX.probe.stored'];
  const commands = `SUB _INBOX.probe.> 1\r\n` + publish('$JS.API.STREAM.CREATE.PROBE', created, JSON.stringify(STREAM));
  let sent = false;
  const read = (output: string, send: (commands: string) => void): string | null | undefined => {
    const creation = payloadOn(created, output);
    // A message that arrives before its stream exists gets no reply.
    if (creation && !creation.error && !sent) send(publish('probe', stored, 'x'.repeat(PROBE_BYTES)));
    sent ||= creation !== undefined;
    const refusal = creation?.error ?? payloadOn(stored, output)?.error;
    if (refusal) return refusal.description ?? 'the message was refused';
    return payloadOn(stored, output) ? null : undefined;
  };
  return exchange(port, { login, limitMs: STORE_LIMIT_MS, commands, read });
}

/** A stream that works and is full: its publishers wait, and a restart would not make room. */
const FULL = /^maximum (bytes|messages) exceeded$/;

/**
 * Stores a message in a stream of the platform and removes it; null when that works, or the stream is full or missing.
 * A stream whose own files fail refuses messages while the others of the server store theirs.
 */
export function streamStores(port: number, login: Login, stream: string): Promise<string | null> {
  const subject = probeSubject(stream);
  const [stored, removed] = ['_INBOX.probe.stored', '_INBOX.probe.removed'];
  const removal = publish(`$JS.API.STREAM.PURGE.${stream}`, removed, JSON.stringify({ filter: subject }));
  let sent = false;
  const read = (output: string, send: (commands: string) => void): string | null | undefined => {
    // The subject of a missing stream has no subscriber, which the server reports in a header.
    if (output.includes(`HMSG ${stored} `)) return null;
    const ack = payloadOn(stored, output);
    if (ack?.error) return FULL.test(ack.error.description ?? '') ? null : (ack.error.description ?? 'it refuses them');
    if (ack && !sent) send(removal);
    sent ||= ack !== undefined;
    return payloadOn(removed, output) ? null : undefined;
  };
  const commands = `SUB _INBOX.probe.> 1\r\n` + publish(subject, stored, '');
  return exchange(port, { login, limitMs: STORE_LIMIT_MS, commands, read });
}
