import { readSettings } from '@signalbox/platform';
import { DEPLOYED } from '../../src/launcher/services.js';
import { rendered, titleOf } from '../chart.js';
import type { PodSpec } from '../manifests.js';
import { all, byTitle, describeChart, helm, of, podsOf } from './fixture.js';

describeChart(() => {
  it.each(all)('gives no pod needless rights with the values «%s»', (_, manifests) => {
    const pods = podsOf(manifests);
    expect(pods.length).toBeGreaterThan(10);
    for (const [title, pod] of pods) {
      // One Job writes Secrets; nothing else speaks with the cluster.
      expect([title, pod.automountServiceAccountToken]).toEqual([title, title.startsWith('Job secrets-')]);
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
      for (const container of pod.containers)
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          privileged: false,
          capabilities: { drop: ['ALL'] },
        });
    }
  });

  it.each(all)('probes all that runs, and lets calls end, with the values «%s»', (_, manifests) => {
    const settings = manifests.find((each) => titleOf(each) === 'ConfigMap signalbox')!.data!;
    for (const { name } of DEPLOYED) {
      const [, pod] = podsOf(manifests).find(([title]) => title.endsWith(` ${name}`)) as readonly [string, PodSpec];
      const [container] = pod.containers;
      expect(container?.startupProbe?.httpGet).toEqual({ path: '/healthz', port: 'health' });
      expect(container?.livenessProbe?.httpGet).toEqual({ path: '/healthz', port: 'health' });
      expect(container?.readinessProbe?.httpGet).toEqual({ path: '/readyz', port: 'health' });
      expect(pod.terminationGracePeriodSeconds).toBe(Number(settings.INVOKE_TIMEOUT_SECONDS) + 30);
      const mounted = new Set(container?.volumeMounts?.map((each) => each.name));
      const volumes = [...(pod.volumes?.map((each) => each.name) ?? []), ...(name === 'completions' ? ['spool'] : [])];
      expect(volumes.sort()).toEqual([...mounted].sort());
    }
  });

  it('gives pods the time of their own settings, and that of the default where none is set', () => {
    const secondsOf = (name: string, ...settings: string[]) =>
      byTitle(rendered(helm, 'tiny', ...settings.flatMap((each) => ['--set-string', each]))).get(`Deployment ${name}`)!
        .spec!.template!.spec.terminationGracePeriodSeconds;
    expect(secondsOf('agents', 'config.INVOKE_TIMEOUT_SECONDS=')).toBe(150);
    const own = 'services.agents.env.INVOKE_TIMEOUT_SECONDS=600';
    expect([secondsOf('agents', own), secondsOf('workflows', own)]).toEqual([630, 150]);
    expect(secondsOf('agents', 'config.SHUTDOWN_GRACE_SECONDS=300')).toBe(325);
  });

  it('restarts pods whose settings changed', () => {
    const annotationsOf = (...args: string[]) =>
      rendered(helm, 'tiny', ...args).find((each) => titleOf(each) === 'Deployment gateway')!.spec!.template!.metadata;
    expect(annotationsOf()).toHaveProperty('annotations.checksum/config');
    expect(annotationsOf('--set', 'config.LOG_LEVEL=debug')).not.toEqual(annotationsOf());
  });

  it('disturbs no drain of a node: a budget leaves a pod to evict', () => {
    expect(of('tiny').filter(({ kind }) => kind === 'PodDisruptionBudget')).toEqual([]);
    const scaled = byTitle(of('scaled'));
    expect(scaled.get('PodDisruptionBudget gateway')?.spec).toMatchObject({ minAvailable: 2 });
    expect(scaled.get('HorizontalPodAutoscaler gateway')?.spec?.minReplicas).toBe(3);
    expect(scaled.get('ConfigMap signalbox')?.data?.GATEWAY_REPLICAS).toBe('3');
    const none = byTitle(rendered(helm, 'tiny', '--set', 'services.gateway.replicas=0'));
    expect(() => readSettings(['GATEWAY_REPLICAS'], none.get('ConfigMap signalbox')?.data)).not.toThrow();
  });

  it('gives certificates to all that connects over TLS', () => {
    for (const [title, pod] of podsOf(of('external-tls'))) {
      if (title.startsWith('Job secrets-')) continue;
      const [container] = pod.containers;
      expect([title, container?.env?.find(({ name }) => name === 'NODE_EXTRA_CA_CERTS')?.value]).toEqual([
        title,
        '/etc/signalbox/ca/ca.crt',
      ]);
      expect(container?.volumeMounts?.find(({ name }) => name === 'ca')?.mountPath).toBe('/etc/signalbox/ca');
    }
    expect(of('external-tls').filter(({ metadata }) => metadata.name === 'nats')).toEqual([]);
  });
});
