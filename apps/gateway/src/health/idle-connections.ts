import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const POLL_MS = 100;

/**
 * Connections without a call that would keep a closing server open: those on which nothing was sent yet (browsers open
 * them in advance), which Node does not count as idle; and those that become idle after the close because the response,
 * a stream, began before the stop and did not announce `Connection: close`.
 */
export class IdleConnections {
  private readonly open = new Set<Socket>();

  constructor(private readonly server: Server) {
    server.on('connection', (socket) => {
      this.open.add(socket);
      socket.once('close', () => this.open.delete(socket));
    });
  }

  closeAll(): void {
    setInterval(() => {
      for (const socket of this.open) if (socket.bytesRead === 0) socket.destroy();
      this.server.closeIdleConnections();
    }, POLL_MS).unref();
  }
}
