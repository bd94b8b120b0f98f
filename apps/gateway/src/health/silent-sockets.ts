import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const LOOK_MS = 100;

/**
 * Connections on which nothing has been sent yet, as browsers open them in advance. They are not idle to Node, since
 * their first request may be on its way: a server that closes would wait for them for as long as they are open.
 */
export class SilentSockets {
  private readonly open = new Set<Socket>();

  constructor(server: Server) {
    server.on('connection', (socket) => {
      this.open.add(socket);
      socket.once('close', () => this.open.delete(socket));
    });
  }

  /** Hangs up on them from now on, until the process ends. */
  hangUp(): void {
    setInterval(() => {
      for (const socket of this.open) if (socket.bytesRead === 0) socket.destroy();
    }, LOOK_MS).unref();
  }
}
