// A control group of Linux whose processes together get a share of one processor: a machine that is slower by a known
// factor, however fast this one is.
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PERIOD_US = 50_000;

/** The hierarchy with the controller `cpu`, and how a group of it is limited. */
const VERSIONS = [
  {
    root: '/sys/fs/cgroup/cpu',
    limit: (group, quotaUs) => {
      writeFileSync(join(group, 'cpu.cfs_period_us'), String(PERIOD_US));
      writeFileSync(join(group, 'cpu.cfs_quota_us'), String(quotaUs));
    },
  },
  {
    root: '/sys/fs/cgroup',
    limit: (group, quotaUs) => writeFileSync(join(group, 'cpu.max'), `${quotaUs} ${PERIOD_US}`),
  },
];

/** Of one processor, in percent. Throws where this user may not make control groups. */
export function processorShare(percent) {
  const version = VERSIONS.find(({ root }) => existsSync(root)) ?? VERSIONS[1];
  const group = join(version.root, `slow-machine-${process.pid}`);
  mkdirSync(group);
  version.limit(group, Math.round((PERIOD_US * percent) / 100));
  return {
    /** The command as the first process of the group. */
    within: (command) => ['sh', '-c', 'echo $$ > "$0" && exec "$@"', join(group, 'cgroup.procs'), ...command],
    /** Does nothing while a process of it is left. */
    remove: () => {
      try {
        rmdirSync(group);
      } catch {
        // It limits nobody else.
      }
    },
  };
}
