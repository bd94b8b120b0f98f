import { setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';

const clients = new WeakMap<Socket, AbortSignal>();

/**
 * Aborts when the client of a connection disconnects. All calls of a connection share one signal: creating one for
 * each costs more than reading the call.
 */
export function disconnectSignal(socket: Socket): AbortSignal {
  const known = clients.get(socket);
  if (known) return known;
  const controller = new AbortController();
  // Pipelined requests share one signal, so there is no listener limit.
  setMaxListeners(0, controller.signal);
  clients.set(socket, controller.signal);
  socket.once('close', () => controller.abort());
  if (socket.destroyed) controller.abort();
  return controller.signal;
}
