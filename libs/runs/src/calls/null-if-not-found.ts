import { ApiError } from '@signalbox/contracts';

/** The result of a call; null when what it names does not exist, or does not exist any more. */
export async function nullIfNotFound<T>(result: Promise<T>): Promise<T | null> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'not_found') return null;
    throw error;
  }
}
