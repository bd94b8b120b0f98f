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

const statusOf = (text: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);

function one(
  port: number,
  { first, drip, dripMs = 1000, patienceMs }: Manner,
  sockets: Socket[],
  answered: (status: number) => void,
): Promise<Held> {
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
      resolve({ status: statusOf(text), text, ms: performance.now() - started, sent });
    };
    const patience = setTimeout(done, patienceMs);
    if (first !== '') socket.on('connect', () => say(first));
    socket.on('data', (part) => {
      const before = statusOf(text);
      text += part.toString();
      if (!before && statusOf(text)) answered(statusOf(text));
    });
    socket.on('close', done);
    socket.on('error', done);
  });
}

/** Many connections that behave alike. */
export class Crowd {
  private readonly sockets: Socket[] = [];
  private readonly answers: number[] = [];
  readonly outcomes: Promise<Held[]>;

  constructor(port: number, size: number, manner: Manner) {
    const answered = (status: number): void => void this.answers.push(status);
    this.outcomes = Promise.all(Array.from({ length: size }, () => one(port, manner, this.sockets, answered)));
  }

  /** How many of them are still connected. */
  get connected(): number {
    return this.sockets.filter((socket) => !socket.destroyed && !socket.connecting).length;
  }

  /** How many were let in no more, or let go. */
  get turnedAway(): number {
    return this.sockets.filter((socket) => socket.destroyed).length;
  }

  /** How many have been answered with one of these statuses so far. */
  answeredWith(isMeant: (status: number) => boolean): number {
    return this.answers.filter(isMeant).length;
  }

  leave(): void {
    for (const socket of this.sockets) socket.destroy();
  }
}
