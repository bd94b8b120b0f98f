export interface MonitorRow {
  status: 'DRAFT' | 'ACTIVE' | 'PAUSED';
  faults: number;
  alerts: number;
  targets: readonly string[];
}
export interface MonitorGroup<T> {
  title: string;
  rows: T[];
}

const loudest = <T extends MonitorRow>(rows: readonly T[]): T[] =>
  rows.toSorted((a, b) => b.alerts - a.alerts || b.faults - a.faults);

export function monitorsByState<T extends MonitorRow>(rows: readonly T[]): MonitorGroup<T>[] {
  const groups = [
    { title: 'Loud', rows: rows.filter(({ alerts }) => alerts > 0) },
    { title: 'Quiet', rows: rows.filter(({ alerts, status }) => alerts === 0 && status === 'ACTIVE') },
    { title: 'Paused', rows: rows.filter(({ alerts, status }) => alerts === 0 && status === 'PAUSED') },
    { title: 'Drafts', rows: rows.filter(({ alerts, status }) => alerts === 0 && status === 'DRAFT') },
  ];
  return groups.filter((group) => group.rows.length > 0).map((group) => ({ ...group, rows: loudest(group.rows) }));
}

/** A monitor may be below several targets; most alerts first. */
export function monitorsByTarget<T extends MonitorRow>(rows: readonly T[]): MonitorGroup<T>[] {
  const found = new Map<string, T[]>();
  for (const row of rows)
    for (const target of row.targets.length > 0 ? row.targets : ['Nothing'])
      found.set(target, [...(found.get(target) ?? []), row]);
  const alerts = (of: readonly T[]): number => of.reduce((sum, row) => sum + row.alerts, 0);
  return [...found]
    .map(([title, of]) => ({ title, rows: loudest(of) }))
    .sort((a, b) => alerts(b.rows) - alerts(a.rows) || a.title.localeCompare(b.title));
}
