import { AT_ONCE } from '../../src/admin/backup/objects.js';
import { DEPLOYED, serviceOf } from '../../src/launcher/services.js';
import { rendered } from '../chart.js';
import type { Manifest } from '../manifests.js';
import { byTitle, describeChart, failure, helm, of, podsOf } from './fixture.js';

describeChart(() => {
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

  it('gives a migration the time that it needs, unless a value limits it', () => {
    const jobOf = (...args: string[]) =>
      rendered(helm, 'tiny', ...args).find(({ metadata }) => metadata.name.startsWith('migrate-'))!.spec;
    expect(jobOf()).not.toHaveProperty('activeDeadlineSeconds');
    expect(jobOf('--set', 'migration.activeDeadlineSeconds=900')).toHaveProperty('activeDeadlineSeconds', 900);
    const rolled = of('scaled').filter(({ kind }) => kind === 'Deployment');
    expect(new Set(rolled.map(({ spec }) => spec?.progressDeadlineSeconds))).toEqual(new Set([3600]));
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
});
