import type { ServerResponse } from 'node:http';

const LINGER_MS = 5000;

/** Destroys an ended response whose client does not read its last bytes, so that it cannot hold the connection. */
export function destroyUnread(response: ServerResponse): void {
  const lingering = setTimeout(() => response.destroy(), LINGER_MS);
  response.once('close', () => clearTimeout(lingering));
}
