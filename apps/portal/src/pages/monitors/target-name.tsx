import type { MonitorTarget } from '@signalbox/sdk';
import { Link } from 'wouter-preact';

const PAGES: Partial<Record<MonitorTarget['target_type'], string>> = { agent: '/agents', workflow: '/workflows' };

/** What a monitor watches, by its name; a link where it has a page of its own. */
export function TargetName({
  target: { target_type, target_id, target_name },
}: {
  target: Pick<MonitorTarget, 'target_type' | 'target_id' | 'target_name'>;
}) {
  const page = PAGES[target_type];
  return page === undefined ? <>{target_name}</> : <Link href={`${page}/${target_id}`}>{target_name}</Link>;
}
