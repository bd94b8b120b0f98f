import { AsyncLocalStorage } from 'node:async_hooks';
import { readSettings } from '../config.js';

interface Transaction {
  open: boolean;
}

/** Only where it is asked for, because it costs every transaction and every call: the tests set it for all processes. */
const current = readSettings(['REFUSE_CALLS_IN_TRANSACTIONS']).REFUSE_CALLS_IN_TRANSACTIONS
  ? new AsyncLocalStorage<Transaction>()
  : undefined;

/** Runs what happens inside a transaction. */
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
 * Throws inside a transaction: a connection and locks that wait for another service, the object store or the internet
 * are missing to every other caller.
 */
export function requireNoTransaction(what: string): void {
  if (current?.getStore()?.open) throw new Error(`${what} while a transaction is open`);
}
