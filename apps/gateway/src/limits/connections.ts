import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { parserErrorOf, parserErrorResponse } from '../replies/index.js';

export interface ConnectionLimits {
  total: number;
  perAddress: number;
}

interface HttpSocket extends Socket {
  /** Internal to Node's HTTP server: the response in progress, null between two requests. */
  _httpMessage?: object | null;
}

const isIdle = (socket: HttpSocket): boolean => !socket._httpMessage;

/**
 * An address at its cap gets no further connection. At the total cap an idle connection of the address with the most
 * connections is closed in favour of the new one; when none is idle, the new one is refused.
 */
export class Connections {
  private total = 0;
  private readonly byAddress = new Map<string, Set<HttpSocket>>();

  constructor(
    private readonly limits: ConnectionLimits,
    /** Proxies carry requests of many clients, so their addresses have no cap. */
    private readonly isProxy: (address: string | undefined) => boolean,
  ) {}

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

  private closeIdle(): boolean {
    const addresses = [...this.byAddress.values()].sort((a, b) => b.size - a.size);
    return addresses.some(closeIdleOf);
  }
}

/** Prefers connections that have not sent a request yet. */
function closeIdleOf(sockets: Set<HttpSocket>): boolean {
  const idle = [...sockets].filter((socket) => isIdle(socket) && !socket.destroyed);
  const closed = idle.find((socket) => socket.bytesRead === 0) ?? idle[0];
  closed?.destroy();
  return closed !== undefined;
}

/** `write` flushes the small response at once, so `destroy` can follow without reading what the client sends. */
function refuse(socket: Socket): void {
  socket.write(parserErrorResponse(parserErrorOf('CONNECTIONS'), randomUUID()));
  socket.destroy();
}
