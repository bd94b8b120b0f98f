import { conflict } from '@signalbox/contracts';

export interface DraftSizes {
  actions: number;
  sub_agents: number;
  routing_rules: number;
  form_fields: number;
  bytes: number;
}

const LIMITS: { size: keyof DraftSizes; most: number; label: string }[] = [
  { size: 'actions', most: 200, label: '200 actions' },
  { size: 'sub_agents', most: 100, label: '100 sub-agents' },
  { size: 'routing_rules', most: 200, label: '200 routing rules' },
  { size: 'form_fields', most: 200, label: '200 form fields' },
  { size: 'bytes', most: 4 * 1024 * 1024, label: '4 MiB' },
];

/**
 * 409 for a draft that has grown beyond a limit (docs/api/README.md). A draft that is older than the limits may exceed
 * one: it may shrink or stay unchanged, but not grow. `before` is null when it was never measured.
 */
export function requireWithinLimits(before: DraftSizes | null, now: DraftSizes): void {
  const over = LIMITS.find(({ size, most }) => now[size] > most && before !== null && now[size] > before[size]);
  if (over) throw conflict(`an agent with all its parts has at most ${over.label}`);
}
