import type { MonitorTarget } from '@signalbox/sdk';
import { Link } from 'wouter-preact';

const PAGES: Partial<Record<MonitorTarget['target_type'], string>> = { agent: '/agents', workflow: '/workflows' };

export function TargetName({
  target: { target_type, target_id, target_name },
}: {
  target: Pick<MonitorTarget, 'target_type' | 'target_id' | 'target_name'>;
}) {
  const page = PAGES[target_type];
  return page === undefined ? <>{target_name}</> : <Link href={`${page}/${target_id}`}>{target_name}</Link>;
}
