import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEPLOYED } from '../../src/launcher/services.js';
import { installCommandsOf, rendered, renderedAs, titleOf } from '../chart.js';
import { kustomized } from '../kustomize.js';
import { typeComplaints } from '../manifest-types.js';
import { documentsOf, type Manifest, ROOT } from '../manifests.js';
import { all, byTitle, describeChart, failure, helm, helms, of } from './fixture.js';

/** Kinds of other projects, whose types are not in Kubernetes' own. */
const FOREIGN = ['Cluster', 'HTTPRoute', 'Route', 'ServiceMonitor', 'PrometheusRule', 'ScaledObject'];

describeChart(() => {
  it.each(helms)('renders k8s/base with Helm $major', ({ path }) => {
    expect(byTitle(rendered(path, 'base'))).toEqual(byTitle(kustomized('k8s/base')));
  });

  it('lets large bodies, long calls and streams through, as the example without Helm does', () => {
    const annotationsOf = ({ metadata }: Manifest) => (metadata as { annotations?: object }).annotations;
    const [example] = documentsOf(readFileSync(join(ROOT, 'k8s/overlays/production/ingress.yaml'), 'utf8'));
    expect(annotationsOf(example!)).toEqual(annotationsOf(byTitle(of('scaled')).get('Ingress gateway')!));
  });

  it('renders valid objects with all values, by the types of Kubernetes', () => {
    const examples = documentsOf(readFileSync(join(ROOT, 'k8s/chart/examples/cloudnative-pg.yaml'), 'utf8'));
    const manifests = [...examples, ...all.flatMap(([, each]) => each)].filter(({ kind }) => !FOREIGN.includes(kind));
    expect(manifests.length).toBeGreaterThan(200);
    expect(typeComplaints(manifests)).toEqual([]);
  }, 60_000);

  it.each(all)('renders every service once with the values «%s», and no Secret', (_, manifests) => {
    expect(byTitle(manifests).size).toBe(manifests.length);
    expect(manifests.map(titleOf)).toEqual(
      expect.arrayContaining(
        DEPLOYED.map(({ name, completions }) => `${completions ? 'StatefulSet' : 'Deployment'} ${name}`),
      ),
    );
    expect(manifests.filter(({ kind }) => kind === 'Secret')).toEqual([]);
  });

  it.each(['k8s/README.md', 'docs/operations/install.md'])('renders the commands of %s', (page) => {
    const commands = installCommandsOf(page);
    expect(commands).toHaveLength(1);
    for (const each of commands) expect(renderedAs(helm, each).length).toBeGreaterThan(30);
  });

  it('applies patches and further objects', () => {
    const scaled = byTitle(of('scaled'));
    expect(scaled.get('Service gateway')?.metadata).toMatchObject({
      annotations: { 'example.com/team': 'platform' },
      labels: { 'app.kubernetes.io/name': 'gateway' },
    });
    expect(scaled.get('Deployment accounts')?.spec?.template?.spec.containers).toMatchObject([
      { name: 'service', args: ['service', 'accounts'], terminationMessagePolicy: 'FallbackToLogsOnError' },
    ]);
    expect(scaled.has('PriorityClass signalbox')).toBe(true);
    expect(byTitle(of('openshift')).get('Route gateway')?.metadata.namespace).toBe('signalbox');
  });

  it('applies patches to each object of its own', () => {
    const enabled = ['serviceMonitor', 'prometheusRule', 'dashboards', 'httpRoute'].map(
      (each) => `${each}.enabled=true`,
    );
    const named =
      'masterKey.key=NEW,masterKey.previousKey=OLD,httpRoute.parentRefs[0].name=a,backup.schedule=0 3 * * *';
    const args = ['--set', [...enabled, named, 'backup.existingClaim=b'].join(',')];
    const objects = rendered(helm, 'tiny', ...args);
    const metadata = { labels: { patched: 'yes' } };
    const patches = objects.map(({ kind, metadata: { name } }) => ({
      kind,
      name: kind === 'Job' ? name.replace(/-[0-9a-f]{10}$/, '') : name,
      patch: { metadata },
    }));
    const patched = rendered(helm, 'tiny', ...args, '--set-json', `patches=${JSON.stringify(patches)}`);
    expect(patched).toHaveLength(objects.length);
    for (const each of patched) expect([titleOf(each), each]).toMatchObject([titleOf(each), { metadata }]);
  });

  it('refuses values that contradict each other, with a sentence', () => {
    expect(failure('--set', 'image.repository=')).toContain('image.repository is missing');
    expect(failure('--set', 'database.existingSecret=')).toContain('database.existingSecret is missing');
    expect(failure('--set', 'nats.deploy=false')).toContain('nats.url is missing');
    expect(failure('--set', 'objects.volume.enabled=false')).toContain('set existingSecret (a bucket) or volume');
    expect(failure('--set', 'services.gateway.replica=2')).toMatch(/replica/);
    const few = 'services.monitors.autoscaling.enabled=true,services.monitors.autoscaling.maxReplicas=1';
    expect(failure('--set', few)).toContain('services.monitors.autoscaling: maxReplicas is less than minReplicas');
    expect(failure('--set-json', 'patches=[{"kind":"Deployment","name":"gate","patch":{}}]')).toContain(
      'this chart has no Deployment gate',
    );
  });
});
