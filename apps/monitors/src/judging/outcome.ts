import type { JudgedOutcome, MonitorResult, ResolutionStep, RunnerType } from '@signalbox/contracts';
import type { ConditionGroup } from '@signalbox/contracts';

/** The result of a group with its conditions; null for a group that is not configured or was not reached. */
export type EvaluatedGroup = Omit<ResolutionStep, 'group'> | null;

/** An outcome and the steps that led to it. */
export interface Resolution {
  outcome: JudgedOutcome;
  resolution_trace: ResolutionStep[];
}

/** Resolves an outcome: a fault first, then a warning, then the default. */
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

/**
 * The groups that resolve the output of a runner. Chosen: the verdict of a judge is the outcome of a monitor that
 * configures no group; otherwise it would count for nothing.
 */
export function groupsOf(runner: RunnerType, { fault, warning }: MonitorResult) {
  if (runner === 'model' && !fault && !warning) return { fault: verdictIs('FAULT'), warning: verdictIs('WARNING') };
  return { fault: fault ?? null, warning: warning ?? null };
}
