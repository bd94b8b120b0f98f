import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from '../services.js';
import type { Supervised } from './supervised.js';

export interface Parts {
  services: { service: Service; supervised: Supervised }[];
  backends: Supervised[];
}

const SERVICES_MS = 20_000;
/** For the entrance to drain before the services behind it are stopped. */
const ENTRANCE_MS = 8000;

/** For calls in flight: everything has to be stopped within 25 s. */
export const graceSecondsOf = ({ entrance }: Service): number => (entrance ? 15 : 8);

/** First the entrance, then the services, then their servers; bounded, and no process is left. */
export async function stopEverything({ services, backends }: Parts): Promise<void> {
  const deadline = Date.now() + SERVICES_MS;
  const stop = (entrance: boolean) =>
    Promise.all(
      services
        .filter(({ service }) => service.entrance === entrance)
        .map(({ supervised }) => supervised.stop(Math.max(0, deadline - Date.now()))),
    );
  const closed = stop(true);
  const clock = new AbortController();
  await Promise.race([closed, sleep(ENTRANCE_MS, undefined, { signal: clock.signal }).catch(() => undefined)]);
  clock.abort();
  await Promise.all([closed, stop(false)]);
  await Promise.all(backends.map((backend) => backend.stop(0)));
}
