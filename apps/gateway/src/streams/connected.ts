import { setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';

const clients = new WeakMap<Socket, AbortSignal>();

/** Aborts when the client disconnects. One signal per connection: creating one costs more than parsing a request. */
export function disconnectSignal(socket: Socket): AbortSignal {
  const known = clients.get(socket);
  if (known) return known;
  const controller = new AbortController();
  // Any number of pipelined requests may listen.
  setMaxListeners(0, controller.signal);
  clients.set(socket, controller.signal);
  socket.once('close', () => controller.abort());
  if (socket.destroyed) controller.abort();
  return controller.signal;
}
