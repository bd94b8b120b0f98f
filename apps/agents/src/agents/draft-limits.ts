import { conflict } from '@signalbox/contracts';

/** How much a draft has of what is limited. */
export interface DraftSizes {
  actions: number;
  sub_agents: number;
  routing_rules: number;
  form_fields: number;
  bytes: number;
}

const LIMITS: { size: keyof DraftSizes; most: number; says: string }[] = [
  { size: 'actions', most: 200, says: '200 actions' },
  { size: 'sub_agents', most: 100, says: '100 sub-agents' },
  { size: 'routing_rules', most: 200, says: '200 routing rules' },
  { size: 'form_fields', most: 200, says: '200 form fields' },
  { size: 'bytes', most: 4 * 1024 * 1024, says: '4 MiB' },
];

/**
 * Refuses a draft that has grown beyond a limit (api.md 3.7). A draft of before the limits may be over one: it may
 * shrink, and stay as it is, but not grow. `before` is null when that was never measured.
 */
export function requireWithinLimits(before: DraftSizes | null, now: DraftSizes): void {
  const over = LIMITS.find(({ size, most }) => now[size] > most && before !== null && now[size] > before[size]);
  if (over) throw conflict(`an agent with all its parts has at most ${over.says}`);
}
