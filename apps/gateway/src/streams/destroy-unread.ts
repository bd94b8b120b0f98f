import type { ServerResponse } from 'node:http';

const LINGER_MS = 5000;

/** A client that does not read the last bytes of an ended response must not hold the connection. */
export function destroyUnread(response: ServerResponse): void {
  const lingering = setTimeout(() => response.destroy(), LINGER_MS);
  response.once('close', () => clearTimeout(lingering));
}
