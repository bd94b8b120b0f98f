import { connect, type Socket } from 'node:net';

export interface ConnectionOutcome {
  /** 0 when the server closed without a reply. */
  status: number;
  text: string;
  ms: number;
  sent: number;
}

export interface ConnectionBehaviour {
  first: string;
  /** Sent repeatedly, so that the connection is never idle. */
  drip?: string;
  dripMs?: number;
  timeoutMs: number;
}

const statusOf = (text: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);

function one(
  port: number,
  { first, drip, dripMs = 1000, timeoutMs }: ConnectionBehaviour,
  sockets: Socket[],
  answered: (status: number) => void,
): Promise<ConnectionOutcome> {
  return new Promise((resolve) => {
    const started = performance.now();
    let text = '';
    let sent = 0;
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    const write = (what: string): void => void (socket.writable && socket.write(what) && (sent += 1));
    const timer = drip === undefined ? undefined : setInterval(() => write(drip), dripMs);
    const done = (): void => {
      clearInterval(timer);
      clearTimeout(timeout);
      socket.destroy();
      resolve({ status: statusOf(text), text, ms: performance.now() - started, sent });
    };
    const timeout = setTimeout(done, timeoutMs);
    if (first !== '') socket.on('connect', () => write(first));
    socket.on('data', (part) => {
      const before = statusOf(text);
      text += part.toString();
      if (!before && statusOf(text)) answered(statusOf(text));
    });
    socket.on('close', done);
    socket.on('error', done);
  });
}

export class ConnectionFlood {
  private readonly sockets: Socket[] = [];
  private readonly answers: number[] = [];
  readonly outcomes: Promise<ConnectionOutcome[]>;

  constructor(port: number, size: number, behaviour: ConnectionBehaviour) {
    const answered = (status: number): void => void this.answers.push(status);
    this.outcomes = Promise.all(Array.from({ length: size }, () => one(port, behaviour, this.sockets, answered)));
  }

  get connected(): number {
    return this.sockets.filter((socket) => !socket.destroyed && !socket.connecting).length;
  }

  get closed(): number {
    return this.sockets.filter((socket) => socket.destroyed).length;
  }

  answeredWith(isMeant: (status: number) => boolean): number {
    return this.answers.filter(isMeant).length;
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
  }
}
