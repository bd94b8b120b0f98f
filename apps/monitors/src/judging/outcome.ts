import type { JudgedOutcome, MonitorResult, ResolutionStep, RunnerType } from '@signalbox/contracts';
import type { ConditionGroup } from '@signalbox/contracts';

/** Null for a group that is not configured or was not reached. */
export type EvaluatedGroup = Omit<ResolutionStep, 'group'> | null;

export interface Resolution {
  outcome: JudgedOutcome;
  resolution_trace: ResolutionStep[];
}

/** A fault wins over a warning, and both over the default. */
export function resolveOutcome(
  { fault, warning }: { fault: EvaluatedGroup; warning: EvaluatedGroup },
  default_outcome: JudgedOutcome,
): Resolution {
  const resolution_trace: ResolutionStep[] = [];
  if (fault) resolution_trace.push({ group: 'fault', ...fault });
  if (fault?.result) return { outcome: 'FAULT', resolution_trace };
  if (warning) resolution_trace.push({ group: 'warning', ...warning });
  if (warning?.result) return { outcome: 'WARNING', resolution_trace };
  resolution_trace.push({ group: 'default', result: true, conditions: [] });
  return { outcome: default_outcome, resolution_trace };
}

const verdictIs = (value: JudgedOutcome): ConditionGroup => ({
  kind: 'group',
  op: 'AND',
  children: [{ kind: 'condition', id: 'verdict', source: 'json', path: 'verdict', operator: 'equals', value }],
});

/** Without configured groups, the verdict of a judging model is the outcome; otherwise it would have no effect. */
export function groupsOf(runner: RunnerType, { fault, warning }: MonitorResult) {
  if (runner === 'model' && !fault && !warning) return { fault: verdictIs('FAULT'), warning: verdictIs('WARNING') };
  return { fault: fault ?? null, warning: warning ?? null };
}
