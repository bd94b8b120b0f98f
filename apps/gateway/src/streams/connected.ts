import type { ServerResponse } from 'node:http';

/** Runs `work` with a signal that aborts when the client leaves before its response is complete. */
export async function whileConnected<T>(
  response: ServerResponse,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const left = (): void => {
    if (!response.writableFinished) controller.abort();
  };
  response.once('close', left);
  if (response.destroyed) left();
  try {
    return await work(controller.signal);
  } finally {
    response.off('close', left);
  }
}
