import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { parsedFile, rendered } from '../chart.js';
import { type Manifest, ROOT } from '../manifests.js';
import { panelExpressions } from '../system/monitoring.js';
import { byTitle, describeChart, helm, of } from './fixture.js';

describeChart(() => {
  it('opens by the page what a ServiceMonitor opens, for a Prometheus without the operator', () => {
    const page = readFileSync(join(ROOT, 'docs/operations/observe.md'), 'utf8');
    const blocks = [...page.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text]) => parse(text!) as object);
    const policyOf = (key: string) => {
      const values = Object.entries(blocks.find((each) => key in each) ?? {});
      const args = values.flatMap(([name, value]) => ['--set-json', `${name}=${JSON.stringify(value)}`]);
      return byTitle(rendered(helm, 'tiny', ...args)).get('NetworkPolicy prometheus');
    };
    expect(policyOf('serviceMonitor')?.spec).toBeDefined();
    expect(policyOf('extraObjects')).toEqual(policyOf('serviceMonitor'));
  });

  it('alerts on backups that never ran, where it has a schedule for them', () => {
    const groupsOf = (manifests: Manifest[]) =>
      (
        byTitle(manifests).get('PrometheusRule signalbox')?.spec as unknown as { groups: { name: string }[] }
      ).groups.map(({ name }) => name);
    expect(groupsOf(of('scaled'))).toEqual(['signalbox', 'signalbox-backups']);
    expect(groupsOf(rendered(helm, 'tiny', '--set', 'prometheusRule.enabled=true'))).toEqual(['signalbox']);
  });

  it('alerts on the platform of its own namespace alone', () => {
    const rulesOf = (spec: unknown) =>
      (spec as { groups: { rules: { expr: string }[] }[] }).groups.flatMap((each) => each.rules);
    const made = rulesOf(byTitle(of('scaled')).get('PrometheusRule signalbox')!.spec).map(({ expr }) => expr);
    const metrics = made.flatMap((expr) => [...expr.matchAll(/\b(?:signalbox|nodejs)_\w+(.{0,23})/g)]);
    expect(metrics.length).toBeGreaterThan(30);
    expect(metrics.filter(([, after]) => after !== '{namespace="signalbox",')).toEqual([]);
    const written = ['alerts', 'backup-alerts'].flatMap((name) => rulesOf(parsedFile(`files/${name}.yaml`)));
    expect(made.map((expr) => expr.replaceAll('namespace="signalbox",', '').replaceAll('{}', ''))).toEqual(
      written.map(({ expr }) => expr.replaceAll('{}', '')),
    );
  });

  it('shows a platform of one namespace, and its processes alone', () => {
    const expressions = panelExpressions();
    expect(expressions.length).toBeGreaterThan(30);
    const unselected = /\b(?:signalbox|nodejs|process)_\w+(?!\w|\{namespace=~"\$namespace")/;
    expect(expressions.filter((expr) => unselected.test(expr))).toEqual([]);
    // Every program that is scraped has metrics of these names.
    const shared = expressions.filter((expr) => /\b(nodejs|process)_/.test(expr));
    expect(
      shared.filter((expr) => !expr.includes('* on (instance) group_left (service) signalbox_build_info')),
    ).toEqual([]);
  });

  it('keeps the labels of metrics that the target has too', () => {
    const { endpoints } = byTitle(of('scaled')).get('ServiceMonitor signalbox')!.spec as { endpoints?: object[] };
    expect(endpoints).toEqual([{ port: 'health', path: '/metrics', interval: '30s', honorLabels: true }]);
  });
});
