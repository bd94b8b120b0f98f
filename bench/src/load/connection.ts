import { connect, type Socket } from 'node:net';

const HEAD_END = '\r\n\r\n';
/** Longer than the platform lets a plain call take, so that a slow machine is told from a lost reply. */
export const STUCK_MS = 40_000;

/** The headers of a request, as they are sent. */
export const headOf = ({ port, headers }: { port: number; headers: Record<string, string> }): string =>
  Object.entries({ host: `127.0.0.1:${port}`, ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');

/** The reply: status and body, or status 0. */
export interface Reply {
  status: number;
  body: string;
}

/**
 * One keep-alive connection with one request at a time. It reads only what framing needs, so that the generator uses
 * as little as possible of the processors that it shares with the measured processes.
 */
export class Connection {
  private readonly socket: Socket;
  private received = '';
  private waiting: ((reply: Reply) => void) | undefined;

  constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.socket.setEncoding('latin1').setTimeout(STUCK_MS, () => this.socket.destroy());
    this.socket.on('data', (chunk: string) => this.receive(chunk));
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => this.settle({ status: 0, body: '' }));
  }

  get closed(): boolean {
    return this.socket.destroyed;
  }

  /** Sends a request; the reply has status 0 when the connection was lost. */
  ask(request: string): Promise<Reply> {
    return new Promise((resolve) => {
      this.waiting = resolve;
      if (this.closed) this.settle({ status: 0, body: '' });
      else this.socket.write(request, 'latin1');
    });
  }

  close(): void {
    this.socket.destroy();
  }

  private settle(reply: Reply): void {
    const then = this.waiting;
    this.waiting = undefined;
    this.received = '';
    then?.(reply);
  }

  private receive(chunk: string): void {
    this.received = this.received === '' ? chunk : this.received + chunk;
    const end = this.received.indexOf(HEAD_END);
    if (end < 0) return;
    const length = /\ncontent-length: *(\d+)/i.exec(this.received.slice(0, end))?.[1];
    if (length === undefined) return this.close();
    const body = end + HEAD_END.length;
    if (this.received.length < body + Number(length)) return;
    this.settle({ status: Number(this.received.slice(9, 12)), body: this.received.slice(body) });
  }
}
