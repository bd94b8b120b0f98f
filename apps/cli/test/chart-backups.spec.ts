import { findHelm, rendered, titleOf } from './chart.js';
import type { Container } from './manifests.js';

interface Rule {
  alert: string;
  expr: string;
  for?: string;
}

// The chart cannot be rendered without it, which chart.spec.ts says loudly.
const helm = findHelm('4') ?? findHelm('3');

(helm === undefined ? describe.skip : describe)('backups that the chart makes', () => {
  const manifestsOf = (...settings: string[]) => {
    const values = ['prometheusRule.enabled=true', 'backup.schedule=0 3 * * 0', 'backup.existingClaim=b', ...settings];
    return rendered(helm!, 'tiny', '--set', values.join(','));
  };
  /** Seconds without a verified backup, how long there may be none at first, and what the doctor is given. */
  function patienceOf(...settings: string[]) {
    const manifests = manifestsOf(...settings);
    const { groups } = manifests.find(({ kind }) => kind === 'PrometheusRule')!.spec as unknown as {
      groups: { rules: Rule[] }[];
    };
    const rules = groups.flatMap((each) => each.rules);
    const ruleOf = (alert: string) => rules.find((each) => each.alert === alert)!;
    const seconds = Number(/> (\d+)$/.exec(ruleOf('SignalboxBackupOverdue').expr)![1]);
    const operator = manifests.find((each) => titleOf(each) === 'CronJob operator')!;
    const [container] = operator.spec!.jobTemplate!.spec.template.spec.containers as [Container];
    const given = container.env?.find(({ name }) => name === 'BACKUP_OVERDUE_HOURS')?.value;
    return { hours: seconds / 3600, first: ruleOf('SignalboxBackupMissing').for, given };
  }

  it('are missed after a night that was left out', () => {
    expect(patienceOf()).toEqual({ hours: 50, first: '30h', given: '50' });
  });

  it('are missed later when the schedule is not daily', () => {
    expect(patienceOf('backup.overdueHours=340')).toEqual({ hours: 340, first: '175h', given: '340' });
  });
});
