import { Lamp } from '../../parts/lamp.js';
import { Loaded } from '../../parts/loaded.js';
import { Table } from '../../parts/table.js';

interface Readiness {
  status: 'ok' | 'degraded' | 'draining';
  checks: { postgres: string; nats: string; object_store: string; services: Record<string, string> };
}

const SENTENCES: Record<Readiness['status'], string> = {
  ok: 'Everything answers.',
  degraded: 'Something does not answer. What depends on it fails with 503 until it is back; nothing accepted is lost.',
  draining: 'This gateway is stopping; another one takes over.',
};

/** An unready platform replies with its report too. */
async function readiness(signal: AbortSignal): Promise<Readiness> {
  const response = await fetch('/readyz', { signal });
  return (await response.json()) as Readiness;
}

export function Health() {
  return (
    <div class="page">
      <div class="head">
        <h1>Health</h1>
      </div>
      <Loaded name={['readiness']} load={readiness} pollMs={5000}>
        {({ status, checks: { services, ...stores } }) => (
          <>
            <p class={status === 'ok' ? '' : 'why'} role="status">
              {SENTENCES[status]}
            </p>
            <Table label="Parts" columns={['Part', 'State']}>
              {Object.entries({ ...stores, ...services }).map(([name, state]) => (
                <tr key={name}>
                  <td>{NAMES[name] ?? name}</td>
                  <td>
                    <Lamp state={state === 'ok' ? 'UP' : 'DOWN'} />
                  </td>
                </tr>
              ))}
            </Table>
            <p class="soft">Read every five seconds, from a real query to each part.</p>
          </>
        )}
      </Loaded>
    </div>
  );
}

const NAMES: Record<string, string> = { postgres: 'Postgres', nats: 'NATS', object_store: 'Object store' };
