import uPlot from 'uplot';

const HEIGHT = 180;
const DAY_SECONDS = 86_400;
/** Lines differ not only by colour. */
const DASHES: number[][] = [[], [6, 3], [2, 3], [10, 3, 2, 3], [10, 4], [4, 2, 1, 2]];
/** Further lines look alike. */
export const MOST_LINES = DASHES.length;
export const dashOf = (n: number): number[] => DASHES[n % DASHES.length] ?? [];

export interface PlotSettings {
  times: readonly number[];
  lines: readonly { values: readonly (number | null)[] }[];
  /** `step` is between two labels of the axis. */
  format: (value: number, step?: number) => string;
  isWhole: boolean;
  hover: (at: number | null) => void;
  open: (line: number, at: number) => void;
}

const tokenOf = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const twoDigits = (n: number): string => String(n).padStart(2, '0');

function timeLabels(_: uPlot, splits: number[], __: number, ___: number, step: number): string[] {
  return splits.map((seconds) => {
    const date = new Date(seconds * 1000);
    return step < DAY_SECONDS
      ? `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`
      : `${date.getDate()} ${date.toLocaleString('en-US', { month: 'short' })}`;
  });
}

const WHOLE_STEPS = Array.from({ length: 12 }, (_, n) => [1, 2, 5].map((first) => first * 10 ** n)).flat();
/** Keeps the labels of both axes apart. */
const GAP = 10;

function axis(values: uPlot.Axis['values'], size: number): uPlot.Axis {
  return {
    gap: GAP,
    stroke: () => tokenOf('--soft'),
    font: '12px Inter, system-ui, sans-serif',
    grid: { stroke: () => tokenOf('--line'), width: 1 },
    ticks: { show: false },
    size,
    ...(values === undefined ? {} : { values }),
  };
}

function nearest(plot: uPlot, at: number): number | null {
  const top = plot.cursor.top ?? 0;
  let found: { line: number; distance: number } | null = null;
  for (let line = 1; line < plot.data.length; line++) {
    const value = plot.data[line]?.[at];
    if (value == null) continue;
    const distance = Math.abs(plot.valToPos(value, 'y') - top);
    if (found === null || distance < found.distance) found = { line: line - 1, distance };
  }
  return found?.line ?? null;
}

/** In the colours of the theme; returns a function that removes the plot. */
export function drawPlot(
  element: HTMLElement,
  { times, lines, format, isWhole, hover, open }: PlotSettings,
): () => void {
  const data = [times.map((time) => time / 1000), ...lines.map(({ values }) => [...values])] as uPlot.AlignedData;
  const plot = new uPlot(
    {
      width: element.clientWidth,
      height: HEIGHT,
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, focus: { prox: 30 } },
      focus: { alpha: 0.4 },
      scales: { y: { range: (_, __, most) => [0, most > 0 ? most * 1.1 : 1] } },
      axes: [
        axis(timeLabels, 32),
        {
          ...axis((_, splits, __, ___, step) => splits.map((value) => format(value, step)), 68),
          ...(isWhole ? { incrs: WHOLE_STEPS } : {}),
        },
      ],
      series: [
        {},
        ...lines.map((_, n) => ({
          stroke: () => tokenOf(`--chart-${(n % MOST_LINES) + 1}`),
          dash: dashOf(n),
          width: 2,
          points: { show: true, size: 6, fill: () => tokenOf('--panel') },
        })),
      ],
      hooks: { setCursor: [({ cursor }) => hover(cursor.idx ?? null)] },
    },
    data,
    element,
  );
  const onClick = (): void => {
    const at = plot.cursor.idx;
    const line = at == null ? null : nearest(plot, at);
    if (at != null && line !== null) open(line, at);
  };
  plot.over.addEventListener('click', onClick);
  const resized = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
  resized.observe(element);
  const themed = new MutationObserver(() => plot.redraw(false, true));
  themed.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  return () => {
    resized.disconnect();
    themed.disconnect();
    plot.destroy();
  };
}
