import { NotFoundError } from '@signalbox/sdk';

/** As `catch` of a call for what an earlier run of the demo may have made. */
export function nullIfNotFound(error: unknown): null {
  if (error instanceof NotFoundError) return null;
  throw error;
}
