import type { Step } from './timeline.js';

/** A gap is a time in which nothing happened. */
export type Line = StepLine | { kind: 'gap'; key: string; ms: number };

interface StepLine {
  kind: 'step';
  key: string;
  step: Step;
  /** Levels below the task of the page. */
  depth: number;
  /** Number of steps of the task that it started; 0 without one. */
  inside: number;
  isOpen: boolean;
}

export interface Folds {
  /** Tasks that are unfolded below the step that started them. */
  open: ReadonlySet<string>;
  hidesQuiet: boolean;
}

/** Shorter pauses are not shown as gaps. */
const GAP_MS = 10_000;
const QUIET = new Set(['task_start', 'task_end', 'state_update', 'routing']);
const FAILED = new Set(['ERROR', 'FAILED', 'TIMEOUT', 'TIMED_OUT']);

export const isError = ({ state }: Step): boolean => state !== null && FAILED.has(state);
/** A whole task or run, which fails because of a step inside. */
const FRAMES = new Set(['task_start', 'task_end', 'run_start', 'run_end']);

/** Without whole runs and sub-agents whose failure an inner step explains. */
export function causesOf(steps: readonly Step[]): Step[] {
  const failed = steps.filter(isError);
  const explained = new Set(failed.filter(({ kind }) => !FRAMES.has(kind)).map(({ taskId }) => taskId));
  return failed.filter(({ kind, taskId, childTaskId }) =>
    FRAMES.has(kind) ? !explained.has(taskId) : childTaskId === null || !explained.has(childTaskId),
  );
}

const isHidden = (step: Step, { hidesQuiet }: Folds): boolean => hidesQuiet && QUIET.has(step.kind) && !isError(step);

function stepsByTask(steps: readonly Step[]): Map<string, Step[]> {
  const byTask = new Map<string, Step[]>();
  for (const step of steps) {
    const known = byTask.get(step.taskId);
    if (known) known.push(step);
    else byTask.set(step.taskId, [step]);
  }
  return byTask;
}

/** The steps of an unfolded sub-agent follow the step that started it. */
export function linesOf(steps: readonly Step[], root: string, folds: Folds): Line[] {
  const byTask = stepsByTask(steps);
  const started = new Set<string>();
  for (const { childTaskId } of steps) if (childTaskId !== null) started.add(childTaskId);
  const lines: Line[] = [];
  const add = (task: string, depth: number): void => {
    let end: number | null = null;
    for (const step of byTask.get(task) ?? []) {
      if (isHidden(step, folds)) continue;
      if (end !== null && step.at - end > GAP_MS)
        lines.push({ kind: 'gap', key: `gap-${step.key}`, ms: step.at - end });
      end = Math.max(end ?? 0, step.at + (step.durationMs ?? 0));
      const child = step.childTaskId;
      const inside = child === null || child === task ? 0 : (byTask.get(child)?.length ?? 0);
      const isOpen = inside > 0 && child !== null && folds.open.has(child);
      lines.push({ kind: 'step', key: step.key, step, depth, inside, isOpen });
      if (!isOpen || child === null) continue;
      add(child, depth + 1);
      end = Math.max(end, byTask.get(child)?.at(-1)?.at ?? 0);
    }
  };
  add(root, 0);
  for (const task of byTask.keys()) if (task !== root && !started.has(task)) add(task, 1);
  return lines;
}

/** To be unfolded before the step is visible. */
export function tasksAbove(steps: readonly Step[], step: Step): string[] {
  const starter = new Map(
    steps.flatMap((each) => (each.childTaskId === null ? [] : [[each.childTaskId, each.taskId]])),
  );
  const above: string[] = [];
  for (let task: string | undefined = step.taskId; task !== undefined && !above.includes(task);)
    if (starter.has(task)) {
      above.push(task);
      task = starter.get(task);
    } else break;
  return above;
}

export interface Slice {
  /** Null where nothing began. */
  first: number | null;
  count: number;
  hasError: boolean;
}

/** Slices of equal working time: idle times count as the shortest gap. */
export function sliced(steps: readonly Step[], slices: number): Slice[] {
  const made: Slice[] = Array.from({ length: slices }, () => ({ first: null, count: 0, hasError: false }));
  let clock = 0;
  const times = steps.map(
    ({ at }, n) => (clock += n === 0 ? 0 : Math.min(Math.max(0, at - (steps[n - 1]?.at ?? at)), GAP_MS)),
  );
  const width = clock === 0 ? 1 : clock;
  steps.forEach((step, n) => {
    const place = Math.min(slices - 1, Math.floor(((times[n] ?? 0) / width) * slices));
    const slice = made[place];
    if (!slice) return;
    slice.first ??= n;
    slice.count++;
    slice.hasError ||= isError(step);
  });
  return made;
}
