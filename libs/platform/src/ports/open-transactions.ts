import { AsyncLocalStorage } from 'node:async_hooks';
import { readSettings } from '../config.js';

interface Transaction {
  open: boolean;
}

/** Optional, because it costs every transaction and every call; the tests enable it. */
const current = readSettings(['REFUSE_CALLS_IN_TRANSACTIONS']).REFUSE_CALLS_IN_TRANSACTIONS
  ? new AsyncLocalStorage<Transaction>()
  : undefined;

export async function asTransaction<T>(work: () => Promise<T>): Promise<T> {
  if (!current) return work();
  const transaction = { open: true };
  try {
    return await current.run(transaction, work);
  } finally {
    transaction.open = false;
  }
}

/**
 * Throws inside a transaction: connections and locks held while waiting for another service, the object store or the
 * internet are missing to every other caller.
 */
export function requireNoTransaction(what: string): void {
  if (current?.getStore()?.open) throw new Error(`${what} while a transaction is open`);
}
