/** Settles like the promise, or rejects with the reason of the signal once it is aborted; a later result is dropped. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    promise.catch(() => undefined);
    return Promise.reject(signal.reason as Error);
  }
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** Resolves after a delay; rejects with the reason of the signal once it is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout;
  const waiting = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  return abortable(waiting, signal).finally(() => clearTimeout(timer));
}
