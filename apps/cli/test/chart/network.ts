import { rendered, titleOf } from '../chart.js';
import type { Manifest } from '../manifests.js';
import { all, byTitle, describeChart, helm } from './fixture.js';

describeChart(() => {
  it.each(all)('closes the network, and gives scripts the bus alone, with the values «%s»', (_, manifests) => {
    const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy');
    expect(policies.find(({ metadata }) => metadata.name === 'deny-all')?.spec).toEqual({
      podSelector: {},
      policyTypes: ['Ingress', 'Egress'],
    });
    const runner = manifests.find((each) => titleOf(each) === 'Deployment runner')!.spec!.template!.metadata.labels;
    const selectsRunner = ({ spec }: Manifest): boolean =>
      Object.entries(spec!.podSelector!.matchLabels ?? {}).every(([label, value]) => runner[label] === value) &&
      (spec!.podSelector!.matchExpressions ?? []).every(
        ({ key, operator, values }) => values.includes(runner[key] ?? '') === (operator === 'In'),
      );
    const open = policies.filter((each) => each.spec?.egress !== undefined && selectsRunner(each));
    expect(open.map(({ metadata }) => metadata.name).sort()).toEqual(['names', 'services-to-nats']);
  });

  it('lets the doctor ask for the certificate of an address with TLS, which is out of the cluster', () => {
    const labelsOf = (publicUrl: string) => {
      const manifests = rendered(helm, 'tiny', '--set', `config.PUBLIC_URL=${publicUrl}`);
      return byTitle(manifests).get('CronJob operator')!.spec!.jobTemplate!.spec.template.metadata.labels;
    };
    expect(labelsOf('https://signalbox.test')['signalbox/internet']).toBe('client');
    expect(labelsOf('http://signalbox.test')['signalbox/internet']).toBeUndefined();
  });

  it('listens where the values say, and lets the Job of the Secrets reach the ports of the cluster', () => {
    const listening = (...args: string[]) => {
      const manifests = byTitle(rendered(helm, 'tiny', ...args));
      const { HOST, HEALTH_HOST } = manifests.get('ConfigMap signalbox')!.data!;
      const [rule] = manifests.get('NetworkPolicy secrets-to-cluster')!.spec!.egress!;
      return [HOST, HEALTH_HOST, ...rule!.ports!];
    };
    const port = (number: number) => ({ protocol: 'TCP', port: number });
    expect(listening()).toEqual(['0.0.0.0', '0.0.0.0', port(443), port(6443)]);
    const changed = ['--set', 'listenAddress=::', '--set', 'networkPolicies.clusterPorts={16443}'];
    expect(listening(...changed)).toEqual(['::', '::', port(16443)]);
  });
});
