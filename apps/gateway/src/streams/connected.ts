import { setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';

const clients = new WeakMap<Socket, AbortSignal>();

/**
 * Aborts when the client at the other end of a connection leaves. One signal for all calls of a connection: to make one
 * for each costs more than to read the call.
 */
export function disconnectSignal(socket: Socket): AbortSignal {
  const known = clients.get(socket);
  if (known) return known;
  const controller = new AbortController();
  // As many calls as the client has sent one behind the other.
  setMaxListeners(0, controller.signal);
  clients.set(socket, controller.signal);
  socket.once('close', () => controller.abort());
  if (socket.destroyed) controller.abort();
  return controller.signal;
}
