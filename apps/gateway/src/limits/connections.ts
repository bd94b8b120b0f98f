import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { parserErrorOf, parserErrorResponse } from '../replies/index.js';

/** How many connections may be open at once. */
export interface ConnectionLimits {
  total: number;
  perAddress: number;
}

interface HttpSocket extends Socket {
  /** The response in progress, null between two requests. */
  _httpMessage?: object | null;
}

const isIdle = (socket: HttpSocket): boolean => !socket._httpMessage;

/**
 * Caps connections per remote address and in total. An address at its cap gets no further connection. At the total cap
 * an idle connection of the address with the most connections is closed for the new one; a connection with a request
 * in progress is never closed, the new one is refused then.
 */
export class Connections {
  private total = 0;
  private readonly byAddress = new Map<string, Set<HttpSocket>>();

  constructor(
    private readonly limits: ConnectionLimits,
    /** Addresses that carry requests of many clients. */
    private readonly isProxy: (address: string | undefined) => boolean,
  ) {}

  /** Caps the connections of a server from now on. */
  watch(server: Server): void {
    server.on('connection', (socket: HttpSocket) => this.opened(socket));
  }

  private opened(socket: HttpSocket): void {
    const address = socket.remoteAddress ?? '';
    const own = this.byAddress.get(address) ?? new Set();
    if (own.size >= this.limits.perAddress && !this.isProxy(address)) return refuse(socket);
    if (this.total >= this.limits.total && !this.closeIdle()) return refuse(socket);
    this.total++;
    this.byAddress.set(address, own.add(socket));
    socket.once('close', () => {
      this.total--;
      own.delete(socket);
      if (own.size === 0 && this.byAddress.get(address) === own) this.byAddress.delete(address);
    });
  }

  /** Closes an idle connection of the address with the most connections. */
  private closeIdle(): boolean {
    const addresses = [...this.byAddress.values()].sort((a, b) => b.size - a.size);
    return addresses.some(closeIdleOf);
  }
}

/** Connections without any request yet come first. */
function closeIdleOf(sockets: Set<HttpSocket>): boolean {
  const idle = [...sockets].filter((socket) => isIdle(socket) && !socket.destroyed);
  const closed = idle.find((socket) => socket.bytesRead === 0) ?? idle[0];
  closed?.destroy();
  return closed !== undefined;
}

/** The response is flushed when `write` returns; nothing that the client sends is read after it. */
function refuse(socket: Socket): void {
  socket.write(parserErrorResponse(parserErrorOf('CONNECTIONS'), randomUUID()));
  socket.destroy();
}
