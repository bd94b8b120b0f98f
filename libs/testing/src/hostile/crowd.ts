import { connect, type Socket } from 'node:net';

/** What one connection of a crowd came to. */
export interface Held {
  /** Status of the answer, 0 when the server closed without one. */
  status: number;
  text: string;
  ms: number;
  /** How often something was sent. */
  sent: number;
}

/** How the members of a crowd behave. */
export interface Manner {
  first: string;
  /** Sent again and again, so that the connection is never quiet. */
  drip?: string;
  dripMs?: number;
  patienceMs: number;
}

function one(port: number, { first, drip, dripMs = 1000, patienceMs }: Manner, sockets: Socket[]): Promise<Held> {
  return new Promise((resolve) => {
    const started = performance.now();
    let text = '';
    let sent = 0;
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    const say = (what: string): void => void (socket.writable && socket.write(what) && (sent += 1));
    const timer = drip === undefined ? undefined : setInterval(() => say(drip), dripMs);
    const done = (): void => {
      clearInterval(timer);
      clearTimeout(patience);
      socket.destroy();
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
      resolve({ status, text, ms: performance.now() - started, sent });
    };
    const patience = setTimeout(done, patienceMs);
    if (first !== '') socket.on('connect', () => say(first));
    socket.on('data', (part) => (text += part.toString()));
    socket.on('close', done);
    socket.on('error', done);
  });
}

/** Many connections that behave alike. */
export class Crowd {
  private readonly sockets: Socket[] = [];
  readonly outcomes: Promise<Held[]>;

  constructor(port: number, size: number, manner: Manner) {
    this.outcomes = Promise.all(Array.from({ length: size }, () => one(port, manner, this.sockets)));
  }

  /** How many of them are still connected. */
  get connected(): number {
    return this.sockets.filter((socket) => !socket.destroyed && !socket.connecting).length;
  }

  /** How many were let in no more, or let go. */
  get turnedAway(): number {
    return this.sockets.filter((socket) => socket.destroyed).length;
  }

  leave(): void {
    for (const socket of this.sockets) socket.destroy();
  }
}
