import { totalmem } from 'node:os';

const MIB = 1024 ** 2;
const SHARE = 16;
const [LEAST_MB, MOST_MB] = [64, 512];

/** In bytes; the limit of the container, if there is one. */
function memoryOf(): number {
  const total = totalmem();
  // Without a limit it is 0, or more than there is.
  const allowed = process.constrainedMemory();
  return allowed > 0 && allowed < total ? allowed : total;
}

/** Buffers take memory only as far as they have been used. */
export function sharedBuffers(memory = memoryOf()): string {
  return `${Math.min(MOST_MB, Math.max(LEAST_MB, Math.floor(memory / SHARE / MIB)))}MB`;
}
