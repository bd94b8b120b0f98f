/** The promise, or the reason of the signal as soon as it is aborted; what was promised is then nobody's concern. */
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

/** Waits, or fails with the reason of the signal. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout;
  const waiting = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  return abortable(waiting, signal).finally(() => clearTimeout(timer));
}
