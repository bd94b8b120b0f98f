import { type MonitorRow, monitorsByState, monitorsByTarget } from './monitor-groups.js';

const row = (name: string, of: Partial<MonitorRow>): MonitorRow & { name: string } => ({
  name,
  status: 'ACTIVE',
  faults: 0,
  alerts: 0,
  targets: [],
  ...of,
});
const ROWS = [
  row('calm', { targets: ['Clerk'] }),
  row('worse', { faults: 2, targets: ['Clerk', 'Refund'] }),
  row('loud', { status: 'PAUSED', alerts: 1, targets: ['Refund'] }),
  row('asleep', { status: 'PAUSED' }),
  row('new', { status: 'DRAFT' }),
];
const named = (groups: { title: string; rows: { name: string }[] }[]) =>
  groups.map(({ title, rows }) => [title, ...rows.map(({ name }) => name)]);

describe('a list of monitors', () => {
  it('has what is loud first, whatever its state', () => {
    expect(named(monitorsByState(ROWS))).toEqual([
      ['Loud', 'loud'],
      ['Quiet', 'worse', 'calm'],
      ['Paused', 'asleep'],
      ['Drafts', 'new'],
    ]);
  });

  it('has each monitor below everything that it watches', () => {
    expect(named(monitorsByTarget(ROWS))).toEqual([
      ['Refund', 'loud', 'worse'],
      ['Clerk', 'worse', 'calm'],
      ['Nothing', 'asleep', 'new'],
    ]);
  });
});
