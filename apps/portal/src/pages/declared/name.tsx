import { Link } from 'wouter-preact';
import { useNames } from '../../api/names.js';
import type { Named } from '../../rules/filters.js';

export function Name({ of, id }: { of: Named; id: number }) {
  return <>{useNames(of).get(id) ?? id}</>;
}

const PATHS = {
  compositions: '/compositions',
  datasets: '/datasets',
  intentGroups: '/intent-groups',
  tagRules: '/tag-rules',
  tags: '/tags',
} as const satisfies Partial<Record<Named, string>>;

export const NamedLink = ({ of, id }: { of: keyof typeof PATHS; id: number }) => (
  <Link href={`${PATHS[of]}/${id}`}>
    <Name of={of} id={id} />
  </Link>
);
