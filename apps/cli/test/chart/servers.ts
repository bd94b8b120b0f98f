import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installCommandsOf, rendered, renderedAs } from '../chart.js';
import { type Manifest, ROOT } from '../manifests.js';
import { byTitle, describeChart, helm, of, podsOf } from './fixture.js';

describeChart(() => {
  it('gives three servers of the bus one store, room to end in, and a way to each other', () => {
    const scaled = byTitle(of('scaled'));
    const { spec } = scaled.get('StatefulSet nats')!;
    expect(spec).toMatchObject({ replicas: 3, podManagementPolicy: 'Parallel' });
    const [container] = spec!.template!.spec.containers;
    expect(JSON.stringify(container)).toContain('nats-server --signal ldm=1');
    expect(container?.startupProbe).toMatchObject({ periodSeconds: 2, timeoutSeconds: 5, failureThreshold: 450 });
    expect(container?.env).toEqual([
      { name: 'GOMEMLIMIT', value: '800MiB' },
      { name: 'NATS_SERVER_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    ]);
    expect(scaled.get('ConfigMap signalbox')?.data?.NATS_REPLICAS).toBe('3');
    expect(scaled.get('PodDisruptionBudget nats')?.spec).toMatchObject({ maxUnavailable: 1 });
    expect(scaled.get('NetworkPolicy nats-to-nats')?.spec?.egress).toHaveLength(1);
    const [, secrets] = podsOf(of('scaled')).find(([title]) => title.startsWith('Job secrets-'))!;
    const routes = secrets.containers[0]?.env?.find(({ name }) => name === 'NATS_ROUTES')?.value;
    expect(routes).toBe('nats-0.nats,nats-1.nats,nats-2.nats');
    expect(byTitle(of('external-tls')).get('ConfigMap signalbox')?.data?.NATS_REPLICAS).toBe('3');
  });

  it('restarts the NATS that it deploys when its users change, and no other', () => {
    const textOf = (manifests: Manifest[]) =>
      JSON.stringify(podsOf(manifests).find(([title]) => title.startsWith('Job secrets-'))![1]);
    expect(textOf(of('tiny'))).toContain('{"name":"NATS_STATEFULSET","value":"nats"}');
    expect(textOf(of('external-tls'))).not.toContain('NATS_STATEFULSET');
  });

  it('counts the connections of pods that are replaced, and opens the port of the direct address', () => {
    const tiny = byTitle(of('tiny')).get('ConfigMap signalbox')!.data!;
    // Ten processes with pools, of which completions alone is a StatefulSet: its pod ends before the next one starts.
    expect(tiny.DATABASE_CONNECTIONS_MAX).toBe(String((9 + 8) * (Number(tiny.DATABASE_POOL_SIZE) + 6)));
    const portsOf = (...args: string[]) =>
      byTitle(rendered(helm, 'tiny', ...args))
        .get('NetworkPolicy services-to-postgres')!
        .spec!.egress!.flatMap(({ ports }) => ports);
    const postgres = { protocol: 'TCP', port: 5432 };
    expect(portsOf()).toEqual([postgres]);
    const pooled = ['networkPolicies.postgres.port=6432', 'networkPolicies.postgres.directPort=5432'];
    expect(portsOf('--set', pooled.join(','))).toEqual([{ protocol: 'TCP', port: 6432 }, postgres]);
  });

  it('has an example of Postgres with room for the connections of the defaults, and 10 % more', () => {
    const [command] = installCommandsOf('k8s/README.md');
    const { data } = byTitle(renderedAs(helm, command!)).get('ConfigMap signalbox')!;
    const text = readFileSync(join(ROOT, 'k8s/chart/examples/cloudnative-pg.yaml'), 'utf8');
    const room = Number(/max_connections: '(\d+)'/.exec(text)![1]);
    expect(room).toBeGreaterThanOrEqual(1.1 * Number(data!.DATABASE_CONNECTIONS_MAX));
  });
});
