import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const POLL_MS = 100;

/**
 * Connections that a closing server would wait for although no call is in flight on them: those on which nothing has
 * been sent yet, as browsers open them in advance, which are not idle to Node; and those that become idle after the
 * server has closed because their response, a stream, began before the stop and did not ask for the connection to close.
 */
export class IdleConnections {
  private readonly open = new Set<Socket>();

  constructor(private readonly server: Server) {
    server.on('connection', (socket) => {
      this.open.add(socket);
      socket.once('close', () => this.open.delete(socket));
    });
  }

  /** Closes them from now on, until the process ends. */
  closeAll(): void {
    setInterval(() => {
      for (const socket of this.open) if (socket.bytesRead === 0) socket.destroy();
      this.server.closeIdleConnections();
    }, POLL_MS).unref();
  }
}
