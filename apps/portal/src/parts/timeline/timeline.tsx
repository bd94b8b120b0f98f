import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Task } from '@signalbox/sdk';
import { count, duration } from '../../rules/formats.js';
import { causesOf, isError, type Line, linesOf, tasksAbove } from '../../rules/folds.js';
import type { Step } from '../../rules/timeline.js';
import { windowOf } from '../../rules/window.js';
import { Loading, Problem } from '../empty.js';
import { usePageKeys } from '../keys.js';
import { Lamp } from '../lamp.js';
import { useParam } from '../param.js';
import { type Column, Grid } from '../rows/grid.js';
import { useView } from '../rows/view.js';
import { SidePanel } from '../side-panel.js';
import { StepPanel } from './step-panel.js';
import { Strip } from './strip.js';
import { useFirstStep } from './use-first-step.js';
import { useTimeline } from './use-timeline.js';

function childrenOf(steps: readonly Step[]): Set<string> {
  const children = new Set<string>();
  for (const { childTaskId } of steps) if (childTaskId !== null) children.add(childTaskId);
  return children;
}

const keyOf = ({ key }: Line): string => key;
/** The address changes once the cursor rests: browsers limit how often it may change. */
const REST_MS = 250;
/** On narrow screens the panel covers the list, so it opens only on request. */
const NARROW = '(max-width: 900px)';

export function Timeline({ task, news }: { task: Task; news: unknown }) {
  const loaded = useTimeline(task, news);
  const { steps, revision, events, total, error, retry } = loaded;
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [hidesQuiet, setHidesQuiet] = useState(false);
  const [shown, setShown] = useState<Step | null>(null);
  const [named, name] = useParam('step');
  const [target, setTarget] = useState<{ line: number } | undefined>(undefined);
  const view = useView();
  const lines = useMemo(() => linesOf(steps, task.id, { open, hidesQuiet }), [steps, revision, open, hidesQuiet]);
  const errors = useMemo(() => causesOf(steps), [steps, revision]);
  const children = useMemo(() => childrenOf(steps), [steps, revision]);
  const { from, to } = windowOf(view.top, view.height, view.rowHeight, lines.length, lines.length || 1);
  const span = spanOf(lines.slice(from, to));

  const fold = (child: string, isOpen: boolean): void =>
    setOpen((before) => {
      const after = new Set(before);
      if (isOpen) after.add(child);
      else after.delete(child);
      return after;
    });

  function goTo(step: Step, opens = true): number {
    const unfolded = new Set([...open, ...tasksAbove(steps, step)]);
    setOpen(unfolded);
    if (opens) setShown(step);
    const line = linesOf(steps, task.id, { open: unfolded, hidesQuiet }).findIndex(({ key }) => key === step.key);
    setTarget({ line });
    return line;
  }
  function nextError(cursor: number): number | undefined {
    const line = lines[cursor];
    const after = line?.kind === 'step' ? Number(line.step.key) : -1;
    const next = errors.find(({ key }) => Number(key) > after) ?? errors[0];
    return next && goTo(next);
  }
  const folds = (isOpen: boolean) => (cursor: number) => {
    const line = lines[cursor];
    if (line?.kind === 'step' && line.inside > 0 && line.step.childTaskId !== null) fold(line.step.childTaskId, isOpen);
    return undefined;
  };

  const isInList = (): boolean => view.box.current?.contains(document.activeElement) === true;
  const { isOver } = useFirstStep(loaded, {
    named,
    hasFailed: task.status === 'FAILED',
    errors,
    isTouched: () => shown !== null || view.top > 0 || isInList(),
    show: (step) => goTo(step, named !== '' || !matchMedia(NARROW).matches),
  });
  useEffect(() => {
    const key = shown?.key ?? '';
    if (!isOver || key === named) return;
    const timer = setTimeout(() => name(key), REST_MS);
    return () => clearTimeout(timer);
  }, [shown, isOver]);

  usePageKeys({
    e: {
      does: 'next error',
      act: () => {
        nextError(lines.findIndex(({ key }) => key === shown?.key));
        view.box.current?.focus();
      },
    },
  });

  if (total === null) return error === null ? <Loading /> : <Problem error={error} retry={retry} />;
  if (steps.length === 0) return <p class="soft">Nothing has happened yet, or the timeline was deleted.</p>;
  return (
    <div class={`split ${shown === null ? '' : 'open'}`}>
      <div class="stack">
        <div class="list-head">
          <span class="soft" role="status">
            {events < total
              ? `${count(events)} of ${count(total)} events are loaded …`
              : `${count(steps.length)} steps of ${count(total)} events`}
          </span>
          <label class="check-line">
            <input
              type="checkbox"
              checked={hidesQuiet}
              onChange={({ currentTarget }) => setHidesQuiet(currentTarget.checked)}
            />
            Hide quiet steps
          </label>
          {children.size > 0 && (
            <button onClick={() => setOpen(open.size > 0 ? new Set() : children)}>
              {open.size > 0 ? 'Fold sub-agents' : 'Unfold sub-agents'}
            </button>
          )}
          {errors.length > 0 && (
            <button onClick={() => nextError(lines.findIndex(({ key }) => key === shown?.key))}>
              Next of {count(errors.length)} {errors.length === 1 ? 'error' : 'errors'} <kbd>E</kbd>
            </button>
          )}
        </div>
        {error !== null && <Problem error={error} retry={retry} />}
        <Strip steps={steps} revision={revision} go={(step) => goTo(step)} />
        <Grid<Line>
          label="Steps"
          columns={columnsOf({ span, start: steps[0]?.at ?? 0, fold })}
          total={lines.length}
          view={view}
          from={from}
          to={to}
          rowAt={(n) => lines[n]}
          keyOf={keyOf}
          moveTo={target}
          open={(line) => line.kind === 'step' && setShown(line.step)}
          peek={{
            isOpen: shown !== null,
            show: (line) => (line === null ? setShown(null) : line.kind === 'step' && setShown(line.step)),
          }}
          hints={[['← →', 'fold and unfold']]}
          keys={{ e: nextError, ArrowRight: folds(true), ArrowLeft: folds(false) }}
        />
      </div>
      {shown && (
        <SidePanel title={shown.title.slice(0, 80)} close={() => setShown(null)}>
          <StepPanel step={shown} task={task} key={shown.key} />
        </SidePanel>
      )}
    </div>
  );
}

interface Span {
  start: number;
  ms: number;
}

/** The time range of the visible lines, which scales the bars. */
function spanOf(lines: readonly Line[]): Span {
  let [start, end] = [Infinity, -Infinity];
  for (const line of lines) {
    if (line.kind !== 'step') continue;
    start = Math.min(start, line.step.at);
    end = Math.max(end, line.step.at + (line.step.durationMs ?? 0));
  }
  return { start, ms: Math.max(1, end - start) };
}

function columnsOf({
  span,
  start,
  fold,
}: {
  span: Span;
  start: number;
  fold: (child: string, isOpen: boolean) => void;
}): Column<Line>[] {
  return [
    {
      title: 'Step',
      width: 'minmax(160px, 3fr)',
      cell: (line) =>
        line.kind === 'gap' ? (
          <span class="soft">· · · idle for {duration(line.ms)}</span>
        ) : (
          <span class="step-title" style={{ paddingLeft: `${line.depth * 16}px` }}>
            {line.inside > 0 && line.step.childTaskId !== null && (
              <button
                class="fold"
                tabIndex={-1}
                aria-expanded={line.isOpen}
                aria-label={`${count(line.inside)} steps inside`}
                onClick={() => fold(line.step.childTaskId ?? '', !line.isOpen)}
              >
                {line.isOpen ? '▾' : '▸'} {count(line.inside)}
              </button>
            )}
            {line.step.title}
          </span>
        ),
    },
    {
      title: 'State',
      width: '110px',
      cell: (line) => line.kind === 'step' && line.step.state !== null && <Lamp state={line.step.state} />,
    },
    {
      title: 'When',
      width: 'minmax(60px, 2fr)',
      cell: (line) => line.kind === 'step' && <Bar step={line.step} span={span} />,
    },
    {
      title: 'After',
      width: '84px',
      isMinor: true,
      isNumber: true,
      cell: (line) => line.kind === 'step' && duration(line.step.at - start),
    },
    {
      title: 'Took',
      width: '84px',
      isNumber: true,
      cell: (line) => line.kind === 'step' && duration(line.step.durationMs),
    },
  ];
}

function Bar({ step, span }: { step: Step; span: Span }) {
  const left = ((step.at - span.start) / span.ms) * 100;
  const width = ((step.durationMs ?? 0) / span.ms) * 100;
  return (
    <span class="track" aria-hidden="true">
      <span
        class={`bar-line ${isError(step) ? 'failed' : ''}`}
        style={{ left: `min(${left}%, 100% - 3px)`, width: `${width}%` }}
      />
    </span>
  );
}
