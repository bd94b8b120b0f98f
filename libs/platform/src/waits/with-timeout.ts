/** After `ms` it settles with the result of `late`, or with what that throws. */
export function withTimeout<T, Late = T>(work: Promise<T>, ms: number, late: () => Late): Promise<T | Late> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      try {
        resolve(late());
      } catch (error) {
        reject(error as Error);
      }
    }, ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
