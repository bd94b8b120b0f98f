import type { Probe } from '@signalbox/platform';
import type { ObjectStore } from './object-store.js';

const FRESH_MS = 1500;

/** Concurrent checks share one probe. */
export function storeProbe(store: ObjectStore): Probe {
  let latest: Promise<void> | undefined;
  let until = 0;
  return () => {
    if (!latest || Date.now() >= until) {
      until = Date.now() + FRESH_MS;
      latest = store.check();
    }
    return latest;
  };
}
