import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSettings } from '@signalbox/platform';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { AT_ONCE } from '../src/admin/backup/objects.js';
import { DEPLOYED, serviceOf } from '../src/launcher/services.js';
import { findHelm, installCommandsOf, parsedFile, rendered, renderedAs, titleOf, VALUES } from './chart.js';
import { kustomized } from './kustomize.js';
import { documentsOf, type Manifest, type PodSpec, ROOT } from './manifests.js';
import { typeComplaints } from './manifest-types.js';
import { panelExpressions } from './system/monitoring.js';

const schema = parsedFile('values.schema.json');
const defaults = parsedFile('values.yaml');
const validate = new Ajv({ strictTypes: false }).compile(schema);

/** Kinds of other projects, whose types are not in Kubernetes' own. */
const FOREIGN = ['Cluster', 'HTTPRoute', 'Route', 'ServiceMonitor', 'PrometheusRule', 'ScaledObject'];

/** What KEDA scales a Deployment by. */
interface ScaledBy {
  triggers: { metadata: Record<string, string> }[];
}

interface ObjectSchema {
  type?: unknown;
  properties?: object;
  additionalProperties?: unknown;
}

describe('the values of the chart', () => {
  it.each(['values.yaml', ...VALUES.map((name) => `ci/${name}-values.yaml`)])('are valid in %s', (file) => {
    validate(parsedFile(file));
    expect(validate.errors ?? []).toEqual([]);
  });

  it('are of the version of the platform', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect(parsedFile('Chart.yaml')).toMatchObject({ version, appVersion: version });
  });

  it('are refused with an unknown key or a value of the wrong type', () => {
    const wrong = [
      { gateway: {} },
      { config: { EGRES_ALLOW: '' } },
      { services: { gateway: { replica: 2 } } },
      { defaults: { replicas: '2' } },
      { nats: { url: 'http://nats:4222' } },
      { patches: [{ kind: 'Deployment', patch: {} }] },
    ];
    expect(wrong.filter((values) => validate(values))).toEqual([]);
    const open: unknown[] = [];
    JSON.stringify(schema, (_, each: ObjectSchema) => {
      if (each?.properties && each.type === 'object' && each.additionalProperties !== false) open.push(each);
      return each;
    });
    expect(open).toEqual([]);
  });

  it('have a default for every key of the schema', () => {
    const { global: _, ...properties } = schema.properties as Record<string, { properties?: object }>;
    expect(Object.keys(defaults).sort()).toEqual(Object.keys(properties).sort());
    const config = Object.keys(properties.config!.properties!);
    expect(Object.keys(defaults.config as object).sort()).toEqual(config.sort());
    expect(Object.keys(defaults.services as object).sort()).toEqual(DEPLOYED.map(({ name }) => name).sort());
  });
});

const helms = ['3', '4'].flatMap((major) => {
  const path = findHelm(major);
  return path === undefined ? [] : [{ major, path }];
});
const newest = helms.at(-1)?.path;

if (newest === undefined) {
  it('is not rendered: there is no Helm here and none could be fetched', () =>
    console.warn('THE CHART WAS NOT RENDERED: there is no Helm here and none could be fetched (tools/helm.mjs)'));
} else {
  describe('the chart', () => rendering(newest));
}

function rendering(helm: string): void {
  const all = VALUES.map((name) => [name, rendered(helm, name)] as const);
  const of = (name: string): Manifest[] => all.find(([each]) => each === name)![1];
  const byTitle = (manifests: readonly Manifest[]) => new Map(manifests.map((each) => [titleOf(each), each]));
  const podsOf = (manifests: readonly Manifest[]) =>
    manifests.flatMap((each) => {
      const template = each.spec?.template ?? each.spec?.jobTemplate?.spec.template;
      return template ? [[titleOf(each), template.spec] as const] : [];
    });
  const failure = (...args: string[]): string => {
    try {
      rendered(helm, 'tiny', ...args);
      return '';
    } catch (error) {
      return (error as { stderr: string }).stderr;
    }
  };

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

  it('lets the Job that makes Secrets reach those of the services and no others', () => {
    const services = [...new Set(DEPLOYED.map((each) => `signalbox-${serviceOf(each)}`))];
    const names = [...services, 'signalbox-nats'];
    const tiny = of('tiny');
    const [, pod] = podsOf(tiny).find(([title]) => title.startsWith('Job secrets-'))!;
    const listed = pod.containers[0]?.env?.find(({ name }) => name === 'SECRETS')?.value;
    expect(listed?.split(',').sort()).toEqual([...names].sort());
    const role = byTitle(tiny).get('Role signalbox-secrets') as unknown as { rules: { resourceNames?: string[] }[] };
    expect(role.rules).toEqual([
      { apiGroups: [''], resources: ['secrets'], verbs: ['create'] },
      {
        apiGroups: [''],
        resources: ['secrets'],
        verbs: ['get', 'patch'],
        resourceNames: expect.arrayContaining(['signalbox-master-key', ...names]) as string[],
      },
      { apiGroups: ['apps'], resources: ['statefulsets'], verbs: ['patch'], resourceNames: ['nats'] },
    ]);
    expect(role.rules[1]?.resourceNames).toHaveLength(names.length + 1);
    const ofAirGap = of('air-gap').filter(({ kind }) => ['Role', 'RoleBinding', 'ServiceAccount'].includes(kind));
    expect(ofAirGap).toEqual([]);
  });

  it.each(['k8s/README.md', 'docs/operations/install.md'])('renders the commands of %s', (page) => {
    const commands = installCommandsOf(page);
    expect(commands).toHaveLength(1);
    for (const each of commands) expect(renderedAs(helm, each).length).toBeGreaterThan(30);
  });

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

  it('names the migration after what it runs', () => {
    const nameOf = (...args: string[]) =>
      rendered(helm, 'tiny', ...args).find(({ metadata }) => metadata.name.startsWith('migrate-'))!.metadata.name;
    const name = nameOf();
    expect(name).toMatch(/^migrate-[0-9a-f]{10}$/);
    expect(nameOf('--set', 'services.gateway.replicas=4')).toBe(name);
    expect(nameOf('--set', 'image.tag=9.9.9')).not.toBe(name);
    // A Job that a patch changed is another one too.
    const patch = 'patches=[{"kind":"Job","name":"migrate","patch":{"spec":{"backoffLimit":1}}}]';
    expect(nameOf('--set-json', patch)).not.toBe(name);
  });

  it('gives both Jobs a second master key while it changes, and makes them anew', () => {
    const jobsOf = (...args: string[]) => {
      const jobs = rendered(helm, 'tiny', ...args).filter(({ kind }) => kind === 'Job');
      return jobs.map(({ metadata, spec }) => ({ name: metadata.name, text: JSON.stringify(spec) }));
    };
    const changed = jobsOf('--set', 'masterKey.key=NEW', '--set', 'masterKey.previousKey=OLD');
    expect(changed.filter(({ name }) => jobsOf().some((each) => each.name === name))).toEqual([]);
    const textOf = (start: string) => changed.find(({ name }) => name.startsWith(start))?.text;
    expect(textOf('secrets-')).toContain('{"name":"MASTER_KEY_PREVIOUS_KEY","value":"OLD"}');
    const ref = { secretKeyRef: { key: 'OLD', name: 'signalbox-master-key' } };
    expect(textOf('migrate-')).toContain(JSON.stringify({ name: 'MASTER_KEY_PREVIOUS', valueFrom: ref }));
    expect(textOf('rotate-master-key-')).toContain('"args":["admin","rotate-master-key"]');
    expect(JSON.stringify(jobsOf('--set', 'masterKey.nextKey=NEW'))).toContain('MASTER_KEY_NEXT');
    expect(JSON.stringify(jobsOf())).not.toMatch(/MASTER_KEY_(NEXT|PREVIOUS)/);
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

  it('has room for what a backup holds in memory of objects', () => {
    const objects = AT_ONCE * 2 * 64;
    for (const [title, pod] of podsOf(of('scaled')).filter(([each]) => /^CronJob (backup|operator)$/.test(each))) {
      const { memory = '' } = (pod.containers[0]!.resources!.limits ?? {}) as { memory?: string };
      expect([title, Number.parseInt(memory, 10) >= objects + 100]).toEqual([title, true]);
    }
  });

  it('has a pod with the keys and both servers for operators when they ask for it', () => {
    const { spec } = byTitle(of('tiny')).get('CronJob operator')!;
    expect(spec?.suspend).toBe(true);
    const { metadata, spec: pod } = spec!.jobTemplate!.spec.template;
    expect(metadata.labels).toMatchObject({ 'signalbox/bus': 'client', 'signalbox/database': 'client' });
    const [container] = pod.containers;
    expect(container?.env?.map(({ name }) => name)).toEqual(['DATABASE_URL', 'MASTER_KEY', 'NATS_URL']);
    expect(container?.volumeMounts?.map(({ name }) => name)).toEqual(['tmp', 'objects']);
    expect(container).toMatchObject({ command: ['tini', '--', 'sleep', '28800'] });
    expect(of('base').filter(({ kind }) => kind === 'CronJob')).toEqual([]);
  });

  it('lets the doctor ask for the certificate of an address with TLS, which is out of the cluster', () => {
    const labelsOf = (publicUrl: string) => {
      const manifests = rendered(helm, 'tiny', '--set', `config.PUBLIC_URL=${publicUrl}`);
      return byTitle(manifests).get('CronJob operator')!.spec!.jobTemplate!.spec.template.metadata.labels;
    };
    expect(labelsOf('https://signalbox.test')['signalbox/internet']).toBe('client');
    expect(labelsOf('http://signalbox.test')['signalbox/internet']).toBeUndefined();
  });

  it('backs up by a schedule into a bucket or a volume', () => {
    const backupOf = (manifests: Manifest[]) => {
      const { spec } = byTitle(manifests).get('CronJob backup')!;
      const { metadata, spec: pod } = spec!.jobTemplate!.spec.template;
      return { schedule: spec!.schedule, labels: metadata.labels, container: pod.containers[0]! };
    };
    const bucket = backupOf(of('scaled'));
    expect(bucket.schedule).toBe('0 3 * * *');
    expect(bucket.labels['signalbox/internet']).toBe('client');
    expect(bucket.container.args).toEqual(['admin', 'backups', '--once', '--keep', '7']);
    const key = { secretKeyRef: { name: 'signalbox-backups', key: 'BACKUP_URL' } };
    expect(bucket.container.env).toContainEqual({ name: 'BACKUP_URL', valueFrom: key });
    const values = ['backup.schedule=0 3 * * *', 'backup.existingClaim=backups', 'backup.keep=30'];
    const volume = backupOf(rendered(helm, 'tiny', '--set', values.join(',')));
    expect(volume.labels['signalbox/internet']).toBeUndefined();
    expect(volume.container.args.at(-1)).toBe('30');
    expect(volume.container.env).toContainEqual({ name: 'BACKUP_URL', value: 'file:/backups' });
    expect(volume.container.volumeMounts).toContainEqual({ name: 'backups', mountPath: '/backups' });
    expect(failure('--set', 'backup.schedule=0 3 * * *')).toContain('set existingSecret (a bucket) or existingClaim');
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

  it('scales by what waits and runs, where values ask for it, in place of by CPU alone', () => {
    const scaled = byTitle(of('scaled'));
    const scalers = of('scaled').filter(({ kind }) => ['ScaledObject', 'HorizontalPodAutoscaler'].includes(kind));
    expect(new Set(scalers.map(({ spec }) => spec!.scaleTargetRef!.name)).size).toBe(scalers.length);
    const backlogOf = (name: string) => {
      const { triggers, ...spec } = scaled.get(`ScaledObject ${name}`)!.spec as unknown as ScaledBy;
      expect(spec).toMatchObject({
        scaleTargetRef: { kind: 'Deployment', name },
        minReplicaCount: 3,
        maxReplicaCount: 20,
      });
      expect(triggers[1]).toEqual({ type: 'cpu', metricType: 'AverageValue', metadata: { value: '700m' } });
      return triggers[0]!;
    };
    const jobs = backlogOf('agents-worker');
    expect(jobs).toMatchObject({
      type: 'prometheus',
      metricType: 'AverageValue',
      authenticationRef: { name: 'prometheus' },
    });
    expect(jobs.metadata).toMatchObject({
      serverAddress: 'http://prometheus-operated.monitoring:9090',
      threshold: '20',
      ignoreNullValues: 'false',
    });
    // Every process of a schema counts the same jobs, and each runner its own scripts.
    const processes = 'signalbox_build_info{service="agents-worker",namespace="signalbox"}';
    const counted = (state: string) =>
      `(sum(max by (kind) (signalbox_jobs_${state} * on (instance) group_left () ${processes})) or 0 * max(${processes}))`;
    expect(jobs.metadata.query).toBe(`${counted('waiting')} + ${counted('running')}`);
    const scripts = backlogOf('runner');
    expect(scripts.metadata.threshold).toBe('12');
    expect(scripts.metadata.query).toMatch(/^sum\(signalbox_script_children\{state=~"busy\|waiting"\} \* .*"runner"/);
  });

  it('scales nothing by a backlog unless asked, nor what has none, and knows where Prometheus is', () => {
    const others = VALUES.filter((name) => name !== 'scaled').flatMap(of);
    expect(others.filter(({ kind }) => kind === 'ScaledObject')).toEqual([]);
    const backlog = (name: string, ...more: string[]) =>
      failure('--set', [`services.${name}.autoscaling.backlog.enabled=true`, ...more].join(','));
    const prometheus = 'keda.prometheus=http://prometheus:9090';
    expect(backlog('gateway', prometheus)).toContain('nothing waits for gateway');
    expect(backlog('workflows', prometheus)).toContain('set autoscaling.enabled too');
    expect(backlog('workflows', 'services.workflows.autoscaling.enabled=true')).toContain('keda.prometheus is missing');
  });

  it('keeps the labels of metrics that the target has too', () => {
    const { endpoints } = byTitle(of('scaled')).get('ServiceMonitor signalbox')!.spec as { endpoints?: object[] };
    expect(endpoints).toEqual([{ port: 'health', path: '/metrics', interval: '30s', honorLabels: true }]);
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

  it('restarts the NATS that it deploys when its users change, and no other', () => {
    const textOf = (manifests: Manifest[]) =>
      JSON.stringify(podsOf(manifests).find(([title]) => title.startsWith('Job secrets-'))![1]);
    expect(textOf(of('tiny'))).toContain('{"name":"NATS_STATEFULSET","value":"nats"}');
    expect(textOf(of('external-tls'))).not.toContain('NATS_STATEFULSET');
  });

  it('gives a migration the time that it needs, unless a value limits it', () => {
    const jobOf = (...args: string[]) =>
      rendered(helm, 'tiny', ...args).find(({ metadata }) => metadata.name.startsWith('migrate-'))!.spec;
    expect(jobOf()).not.toHaveProperty('activeDeadlineSeconds');
    expect(jobOf('--set', 'migration.activeDeadlineSeconds=900')).toHaveProperty('activeDeadlineSeconds', 900);
    const rolled = of('scaled').filter(({ kind }) => kind === 'Deployment');
    expect(new Set(rolled.map(({ spec }) => spec?.progressDeadlineSeconds))).toEqual(new Set([3600]));
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
}
