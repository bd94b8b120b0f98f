import { cpus, totalmem } from 'node:os';
import { median, type Outcome, type Sample, type Side } from './rounds.js';

/** The goal of a figure; `least` when more is better, `most` when less is. */
export interface Goal {
  id: string;
  what: string;
  unit: string;
  better: 'more' | 'less';
  must: number;
  aim: number;
  /** What the limits are about: the ratio to the base unless it says `value`. */
  of?: 'ratio' | 'value';
}

/** The result, for assertions. */
export interface Verdict {
  goal: string;
  ratio: number;
  errors: number;
}

/** A figure with as many digits as are of interest. */
export const shown = (value: number): string =>
  value >= 1000 ? Math.round(value).toLocaleString('en-US') : value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);

const span = (values: readonly number[], show: (value: number) => string): string =>
  `${show(Math.min(...values))}–${show(Math.max(...values))}`;

function line(name: string, samples: readonly Sample[]): string[] {
  const values = samples.map(({ value }) => value);
  const cpu = median(samples.map(({ cpuMicros }) => cpuMicros));
  const errors = samples.reduce((sum, sample) => sum + sample.errors, 0);
  return [name, shown(median(values)), span(values, shown), Math.round(cpu).toString(), errors.toString()];
}

/** Rows of equally many cells as text, the first column aligned to the left. */
export function table(rows: readonly string[][]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const padded = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return rows.map((row) => `  ${row.map(padded).join('   ')}`).join('\n');
}

/** Whether a value reaches the goal. */
export function judged(value: number, { better, must, aim }: Pick<Goal, 'better' | 'must' | 'aim'>): string {
  if (Number.isNaN(value)) return 'not judged';
  const meets = (limit: number): boolean => (better === 'more' ? value >= limit : value <= limit);
  return meets(aim) ? 'aim reached' : meets(must) ? 'must reached' : 'MISSED';
}

const twoPlaces = (value: number): string => value.toFixed(2);

function limits(goal: Goal, unit: string): string {
  const sign = goal.better === 'more' ? '≥' : '≤';
  return `must ${sign} ${goal.must}${unit}, aim ${sign} ${goal.aim}${unit}`;
}

/** Prints both sides and their ratio next to the goal; a product without a base next to the goal alone. */
export function report(goal: Goal, base: Side | null, product: Side, outcome: Outcome): Verdict {
  const ratios = outcome.product.map(({ value }, round) => value / (outcome.base[round]?.value ?? NaN));
  const value = median(outcome.product.map((sample) => sample.value));
  const ratio = base ? value / median(outcome.base.map((sample) => sample.value)) : NaN;
  console.log(`\n${goal.id}  ${goal.what}`);
  console.log(
    table([
      ['', goal.unit, 'min–max', 'CPU µs each', 'errors'],
      ...(base ? [line(base.name, outcome.base)] : []),
      line(product.name, outcome.product),
    ]),
  );
  const compared = base ? `ratio ${twoPlaces(ratio)}× (${span(ratios, twoPlaces)})` : 'no base, so no ratio';
  const [subject, unit] = goal.of === 'value' ? [value, ''] : [ratio, '×'];
  const shownSubject = goal.of === 'value' ? `${shown(value)} ` : '';
  console.log(`  ${compared}   ${shownSubject}${limits(goal, unit)}: ${judged(subject, goal)}`);
  const errors = [...outcome.base, ...outcome.product].reduce((sum, sample) => sum + sample.errors, 0);
  return { goal: goal.id, ratio: subject, errors };
}

/** Prints values that have no base next to the goal. */
export function reportAlone(goal: Goal, values: readonly number[]): Verdict {
  const middle = median(values);
  console.log(`\n${goal.id}  ${goal.what}`);
  console.log(
    `  ${shown(middle)} ${goal.unit} (${span(values, shown)})   ${limits(goal, '')}: ${judged(middle, goal)}`,
  );
  return { goal: goal.id, ratio: middle, errors: 0 };
}

/** Prints the figures of several sides for which there is no goal. */
export function reportFigures(what: string, unit: string, sides: Readonly<Record<string, Sample[]>>): Verdict {
  console.log(`\n${what}`);
  const rows = Object.entries(sides).map(([name, samples]) => line(name, samples));
  console.log(table([['', unit, 'min–max', 'CPU µs each', 'errors'], ...rows]));
  const errors = Object.values(sides)
    .flat()
    .reduce((sum, sample) => sum + sample.errors, 0);
  return { goal: 'figures', ratio: NaN, errors };
}

/** The machine, in a line. */
export const machine = (): string =>
  `${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}`;
