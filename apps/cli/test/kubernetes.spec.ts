import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { completions, SERVICES as DECLARED } from '@signalbox/contracts';
import { readSettings, shutdownGraceMs } from '@signalbox/platform';
import { commandOf, DEPLOYED, serviceOf, SERVICES } from '../src/launcher/services.js';
import {
  AFTER_GRACE_SECONDS,
  BEFORE_STOP_SECONDS,
  COMPLETIONS_LOGINS,
  NOT_PASSED,
  settingsReadBy,
} from './deployed-settings.js';
import { kustomized } from './kustomize.js';
import { type Container, documentsOf, type Manifest, manifestsIn, type PodSpec, ROOT } from './manifests.js';
import { typeComplaints } from './manifest-types.js';

const base = manifestsIn('k8s/base');
const production = manifestsIn('k8s/overlays/production');

const of = (kind: string): Manifest[] => base.filter((manifest) => manifest.kind === kind);
const named = (kind: string, name: string): Manifest => {
  const found = of(kind).find((manifest) => manifest.metadata.name === name);
  if (!found) throw new Error(`there is no ${kind} "${name}"`);
  return found;
};
/** What runs the pods of a service. */
const workload = (name: string): Manifest =>
  named(of('StatefulSet').some(({ metadata }) => metadata.name === name) ? 'StatefulSet' : 'Deployment', name);
const podOf = (manifest: Manifest): PodSpec => manifest.spec!.template!.spec;
const containerOf = (manifest: Manifest): Container => podOf(manifest).containers[0]!;
const running = [...of('Deployment'), ...of('Job'), ...of('StatefulSet')];
const settings = named('ConfigMap', 'signalbox').data!;

interface IngressSpec {
  rules: { http: { paths: { path: string; pathType: string; backend: { service: { name: string } } }[] } }[];
}

/** A name is a setting exactly when the platform has no error for it. */
function isSetting(name: string): boolean {
  try {
    readSettings([name as 'PORT'], {});
    return true;
  } catch (error) {
    return (error as Error).message.startsWith('settings:');
  }
}

describe('the manifests', () => {
  it('are valid by the types of Kubernetes, to the last key', () => {
    expect(typeComplaints([...base, ...production])).toEqual([]);
  }, 60_000);

  it('would be refused with an unknown key or a value of the wrong type', () => {
    const wrong = structuredClone(workload('gateway')) as unknown as { spec: Record<string, unknown> };
    wrong.spec.replica = 2;
    expect(typeComplaints([wrong as Manifest]).join()).toMatch(/replica.* does not exist/);
    expect(typeComplaints([{ ...base[0]!, kind: 'ConfigMap', data: { A: 1 as unknown as string } }])).toHaveLength(1);
  }, 60_000);

  it('are all listed in the kustomization', () => {
    const [listed] = documentsOf(readFileSync(join(ROOT, 'k8s/base/kustomization.yaml'), 'utf8'));
    const files = readdirSync(join(ROOT, 'k8s/base')).filter((name) => name !== 'kustomization.yaml');
    expect([...(listed as unknown as { resources: string[] }).resources].sort()).toEqual(files.sort());
  });

  const all = kustomized('k8s/overlays/production');

  it('are combined with the images, the settings and the namespace of the overlay', () => {
    expect(typeComplaints(all)).toEqual([]);
    expect(all.find(({ kind }) => kind === 'ConfigMap')?.data?.PUBLIC_URL).toBe('https://signalbox.example');
    const images = all.flatMap((each) => each.spec?.template?.spec.containers.map(({ image }) => image) ?? []);
    expect(new Set(images)).toEqual(new Set(['registry.example/signalbox:0.2.0', 'nats:2.12-alpine']));
    const lost = all.filter(({ kind, metadata }) => kind !== 'Namespace' && metadata.namespace !== 'signalbox');
    expect(lost).toEqual([]);
    expect(all.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual(
      expect.arrayContaining(base.map(({ kind, metadata }) => `${kind} ${metadata.name}`)),
    );
  }, 60_000);

  const kubectl = ['/usr/bin/kubectl', '/usr/local/bin/kubectl'].find((path) => existsSync(path));
  const byName = (manifests: Manifest[]) =>
    new Map(manifests.map((each) => [`${each.kind} ${each.metadata.name}`, each] as const));
  it(
    kubectl ? 'are equal to the output of kubectl' : 'are not compared with kubectl, which is not installed',
    () => {
      if (kubectl === undefined) return console.warn('kubectl is not installed: its kustomize was not run');
      const text = execFileSync(kubectl, ['kustomize', join(ROOT, 'k8s/overlays/production')], { encoding: 'utf8' });
      expect(byName(documentsOf(text))).toEqual(byName(all));
    },
    60_000,
  );
});

describe('the services in the cluster', () => {
  it('are the services that were declared, here and for the launcher', () => {
    const declared = DECLARED.filter(({ name }) => name !== 'cli');
    const undivided = new Map(DEPLOYED.map((each) => [serviceOf(each), each.database] as const));
    expect([...undivided]).toEqual(declared.map(({ name, database }) => [name, database]));
    const names = [...of('Deployment'), ...of('StatefulSet')].map(({ metadata }) => metadata.name);
    expect(names.sort()).toEqual([...DEPLOYED.map(({ name }) => name), 'nats'].sort());
    // On one machine the gateway has the role of serving completions; in a cluster only a separate process has it.
    expect(SERVICES.filter(({ completions }) => completions).map(({ name }) => name)).toEqual(['gateway']);
    expect(DEPLOYED.filter(({ completions }) => completions).map(({ name }) => name)).toEqual(['completions']);
  });

  it.each(DEPLOYED)('give $name every setting it reads', (declared) => {
    const { name, completions } = declared;
    const reads = settingsReadBy(declared) as 'PORT'[];
    const container = containerOf(workload(name));
    const given = [...(container.env ?? []).map((each) => each.name), ...Object.keys(settings)];
    const values = Object.fromEntries(given.map((setting) => [setting, '-'] as const));
    const complaint = (environment: Record<string, string>): string => {
      try {
        return readSettings(reads, environment) && '';
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(reads.length).toBeGreaterThan(10);
    const passed = reads.filter((setting) => given.includes(setting) || setting in NOT_PASSED);
    const missing = reads.filter((setting) => !passed.includes(setting));
    // The URL of the object store is in a separate ConfigMap, and in a Secret when there is one.
    const optional = completions ? [] : COMPLETIONS_LOGINS;
    expect(missing.filter((setting) => !optional.includes(setting))).toEqual([]);
    expect(() => readSettings(Object.keys(settings) as 'PORT'[], settings)).not.toThrow();
    expect(complaint({})).toContain('NATS_URL is missing');
    expect(complaint(values)).not.toContain('is missing');
    const lent = reads.filter((setting) => setting.startsWith('COMPLETIONS_'));
    expect(lent.filter((setting) => given.includes(setting))).toEqual(completions ? lent : []);
    const secret = (container.env ?? []).filter(({ valueFrom }) => valueFrom !== undefined).map((each) => each.name);
    expect(secret.filter((setting) => !(reads as string[]).includes(setting))).toEqual([]);
  });

  it.each(DEPLOYED)('give $name its own logins and no others', (declared) => {
    const { name, database, keys, objects, completions } = declared;
    const container = containerOf(workload(name));
    expect(container.args).toEqual(['service', ...commandOf(declared)]);
    const secrets = (container.env ?? []).flatMap((each) => {
      const from = each.valueFrom?.secretKeyRef;
      return from ? [[each.name, from.name, from.key]] : [];
    });
    const logins = database ? ['DATABASE_URL', 'WORKER_DATABASE_URL'] : [];
    const own = ['NATS_URL', ...logins, ...(completions ? COMPLETIONS_LOGINS : []), ...keys];
    expect(secrets).toEqual([
      ...own.map((key) => [key, `signalbox-${serviceOf(declared)}`, key]),
      ...(objects ? [['OBJECT_STORE_URL', 'signalbox-objects', 'OBJECT_STORE_URL']] : []),
    ]);
  });

  it('store large objects on a mounted volume', () => {
    const url = named('ConfigMap', 'signalbox-objects').data?.OBJECT_STORE_URL;
    expect(named('PersistentVolumeClaim', 'objects').spec).toMatchObject({ accessModes: ['ReadWriteMany'] });
    for (const { name, objects } of DEPLOYED) {
      const manifest = workload(name);
      const mount = containerOf(manifest).volumeMounts?.find((each) => each.name === 'objects');
      expect(mount && `file:${mount.mountPath}`).toBe(objects ? url : undefined);
      const volume = podOf(manifest).volumes?.find((each) => each.name === 'objects');
      expect(volume?.persistentVolumeClaim?.claimName).toBe(objects ? 'objects' : undefined);
    }
  });

  it('store records that wait for the database on a volume that outlives the pod, or the container', () => {
    for (const { name, completions } of DEPLOYED) {
      const manifest = workload(name);
      const container = containerOf(manifest);
      const folder = container.env?.find((each) => each.name === 'DATA_DIR')?.value;
      expect(folder).toBe(completions || name === 'traffic' ? '/spool' : undefined);
      expect(container.volumeMounts?.find((each) => each.name === 'spool')?.mountPath).toBe(folder);
      const volume = podOf(manifest).volumes?.find((each) => each.name === 'spool');
      expect(volume?.emptyDir).toEqual(name === 'traffic' ? { sizeLimit: '6Gi' } : undefined);
      // What a pod asks of the disk of its node is what it may use: it is not evicted for others.
      const requests = container.resources?.requests as Record<string, string> | undefined;
      expect(requests?.['ephemeral-storage']).toBe(name === 'traffic' ? '6Gi' : undefined);
      const claims = manifest.spec?.volumeClaimTemplates?.map(({ metadata }) => metadata.name);
      expect([manifest.kind, claims]).toEqual(completions ? ['StatefulSet', ['spool']] : ['Deployment', undefined]);
    }
  });

  it.each(DEPLOYED)('let the calls of $name end before it is killed', ({ name, entrance }) => {
    const period = podOf(workload(name)).terminationGracePeriodSeconds;
    expect(period).toBe(Number(settings.INVOKE_TIMEOUT_SECONDS) + 30);
    const grace = shutdownGraceMs(readSettings(['INVOKE_TIMEOUT_SECONDS', 'SHUTDOWN_GRACE_SECONDS'], settings)) / 1000;
    expect(grace).toBeGreaterThanOrEqual(Number(settings.INVOKE_TIMEOUT_SECONDS));
    expect(period).toBeGreaterThanOrEqual(BEFORE_STOP_SECONDS + grace + AFTER_GRACE_SECONDS);
    expect(containerOf(workload(name)).lifecycle?.preStop !== undefined).toBe(entrance);
  });

  it('route the paths of chat completions to their process and everything else to the gateway', () => {
    const [rule] = (production.find(({ kind }) => kind === 'Ingress')?.spec as IngressSpec).rules;
    const paths = rule!.http.paths.map(({ path, pathType, backend }) => [path, pathType, backend.service.name]);
    expect(paths).toEqual([
      ['/api/v1/chat/completions', 'Prefix', 'completions'],
      ['/', 'Prefix', 'gateway'],
    ]);
    const routes = Object.values(completions.endpoints).flatMap(({ path }) => (path === null ? [] : [path]));
    expect(routes.length).toBeGreaterThan(2);
    expect(routes.filter((path) => !/^\/chat\/completions(\/|$)/.test(path))).toEqual([]);
  });

  it.each(DEPLOYED)('probe whether $name is alive and ready', ({ name, entrance }) => {
    const container = containerOf(workload(name));
    const health = Number(container.env?.find((each) => each.name === 'HEALTH_PORT')?.value);
    const http = { name: 'http', containerPort: Number(settings.PORT) };
    expect(container.ports).toEqual([...(entrance ? [http] : []), { name: 'health', containerPort: health }]);
    expect(health).not.toBe(Number(settings.PORT));
    // The health port reports listening and not draining: no dependency makes the process unready.
    expect(container.startupProbe?.httpGet).toEqual({ path: '/healthz', port: 'health' });
    expect(container.livenessProbe?.httpGet).toEqual({ path: '/healthz', port: 'health' });
    expect(container.readinessProbe?.httpGet).toEqual({ path: '/readyz', port: 'health' });
    // A process that is late because it is busy keeps its calls.
    expect(container.startupProbe).toMatchObject({ periodSeconds: 2, failureThreshold: 150 });
    expect(container.livenessProbe).toMatchObject({ timeoutSeconds: 10, failureThreshold: 6 });
    expect(container.readinessProbe).toMatchObject({ timeoutSeconds: 5, failureThreshold: 3 });
    expect(container.resources).toMatchObject({ requests: expect.anything(), limits: expect.anything() });
    expect(named('PodDisruptionBudget', name).spec?.selector?.matchLabels).toEqual({ 'app.kubernetes.io/name': name });
  });

  it('set only settings that a program reads', () => {
    const namesOf = (each: Manifest): string[] => (containerOf(each).env ?? []).map(({ name }) => name);
    const services = running.filter(({ kind, metadata }) => kind !== 'Job' && metadata.name !== 'nats');
    const names = services.flatMap(namesOf);
    // The migration is a command of the operator: it creates the roles, whose passwords are derived from the master
    // key.
    expect(namesOf(named('Job', 'migrate'))).toEqual(['DATABASE_URL', 'MASTER_KEY']);
    expect(names).not.toContain('MASTER_KEY');
    expect([...names, ...Object.keys(settings)].filter((name) => !isSetting(name))).toEqual([]);
    expect(isSetting('EGRES_ALLOW')).toBe(false);
  });

  it('scale where the load is', () => {
    const scaled = of('HorizontalPodAutoscaler').map(({ spec }) => spec?.scaleTargetRef?.name);
    expect(scaled.sort()).toEqual([
      'agents',
      'agents-worker',
      'completions',
      'gateway',
      'monitors',
      'runner',
      'workflows',
    ]);
    // Limits per key are divided by the least number of gateways that clients meet.
    for (const name of ['gateway', 'completions'])
      expect(named('HorizontalPodAutoscaler', name).spec?.minReplicas).toBe(Number(settings.GATEWAY_REPLICAS));
  });

  it.each(running.map((each) => [each.metadata.name, each] as const))('run %s without needless rights', (_, each) => {
    const pod = podOf(each);
    expect(pod.automountServiceAccountToken).toBe(false);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(30);
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    for (const container of pod.containers) {
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        privileged: false,
        capabilities: { drop: ['ALL'] },
      });
    }
  });
});

describe('the network of the cluster', () => {
  const labelled = (label: string): string[] =>
    running
      .filter(({ spec }) => spec?.template?.metadata.labels[label] === 'client')
      .map(({ metadata }) => metadata.name)
      .sort();

  it('is closed where no policy opens it', () => {
    const { podSelector, policyTypes, ingress, egress } = named('NetworkPolicy', 'deny-all').spec!;
    expect({ podSelector, policyTypes, ingress, egress }).toEqual({
      podSelector: {},
      policyTypes: ['Ingress', 'Egress'],
    });
  });

  it('connects services with the bus, those with logins with Postgres, and those with outgoing calls with the internet', () => {
    expect(labelled('signalbox/bus')).toEqual(DEPLOYED.map(({ name }) => name).sort());
    expect(labelled('signalbox/database')).toEqual([
      'accounts',
      'agents',
      'agents-worker',
      'completions',
      'migrate',
      'monitors',
      'test-runs',
      'traffic',
      'training',
      'workflows',
    ]);
    expect(labelled('signalbox/internet')).toEqual([
      'accounts',
      'agents',
      'agents-worker',
      'completions',
      'traffic',
      'workflows',
    ]);
  });

  it('gives what executes scripts a way to the bus and to nothing else', () => {
    const selects = (policy: Manifest): boolean => {
      const { matchLabels = {}, matchExpressions = [] } = policy.spec!.podSelector!;
      const { labels } = workload('runner').spec!.template!.metadata;
      return (
        Object.entries(matchLabels).every(([label, value]) => labels[label] === value) &&
        matchExpressions.every(
          ({ key, operator, values }) => values.includes(labels[key] ?? '') === (operator === 'In'),
        )
      );
    };
    const open = of('NetworkPolicy').filter((policy) => policy.spec?.egress !== undefined && selects(policy));
    expect(open.map(({ metadata }) => metadata.name).sort()).toEqual(['names', 'services-to-nats']);
  });

  it('admits traffic only through the gateway, and to the bus only its clients', () => {
    const open = of('NetworkPolicy').filter(({ spec }) => spec?.ingress !== undefined);
    expect(open.map(({ metadata }) => metadata.name).sort()).toEqual(['clients', 'nats-from-services']);
    const [rule] = named('NetworkPolicy', 'nats-from-services').spec!.ingress!;
    expect(rule?.from).toEqual([{ podSelector: { matchLabels: { 'signalbox/bus': 'client' } } }]);
  });

  it('hides every private network from processes with internet access', () => {
    const [rule] = named('NetworkPolicy', 'internet').spec!.egress!;
    const excepted = rule!.to.flatMap(({ ipBlock }) => ipBlock?.except ?? []);
    expect(excepted).toEqual(expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16', '192.168.0.0/16', 'fc00::/7']));
  });
});
