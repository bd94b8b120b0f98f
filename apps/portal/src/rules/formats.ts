const DASH = '–';
const MOST_DIGITS = 10;

export function duration(ms: number | null | undefined): string {
  if (ms == null) return DASH;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(ms < 9995 ? 2 : 1)} s`;
  const seconds = Math.round(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/**
 * US dollars: two digits, below a cent the significant ones; with `step`, as many as tell the labels of an axis apart.
 */
export function money(dollars: number | null | undefined, step?: number): string {
  if (dollars == null) return DASH;
  if (dollars === 0) return '$0';
  if (step !== undefined) return `$${dollars.toFixed(digitsOf(step))}`;
  return `$${dollars < 0.01 ? significant(dollars) : dollars.toFixed(2)}`;
}

/** Two digits; a number as text would be 5e-7. */
const significant = (dollars: number): string =>
  dollars.toFixed(Math.min(20, 1 - Math.floor(Math.log10(dollars)))).replace(/0+$/, '');

function digitsOf(step: number): number {
  for (let digits = 2; digits < MOST_DIGITS; digits++)
    if (Math.abs(step - Number(step.toFixed(digits))) < step / 1e6) return digits;
  return MOST_DIGITS;
}

export const count = (n: number | null | undefined): string => (n == null ? DASH : n.toLocaleString('en-US'));

export const percent = (share: number | null | undefined): string =>
  share == null ? DASH : `${Number((share * 100).toFixed(1))} %`;

export function bytes(n: number): string {
  if (n < 1024) return `${n} B`;
  return n < 1024 * 1024 ? `${(n / 1024).toFixed(1)} kB` : `${(n / 1024 / 1024).toFixed(1)} MB`;
}

export function ago(time: number | null | undefined, now: number): string {
  if (time == null) return DASH;
  const seconds = Math.max(0, Math.round((now - time) / 1000));
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  return `${Math.floor(seconds / 86_400)} d ago`;
}

export const exact = (time: number | null | undefined): string =>
  time == null ? DASH : new Date(time).toLocaleString('sv-SE');

/** Of a bucket of a day or a week: those of the API begin at midnight UTC, which is another day further west. */
export const utcDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

export const sentenceCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export function oneLine(text: string | null | undefined, length = 120): string {
  const folded = (text ?? '').replace(/\s+/g, ' ').trim();
  return folded.length > length ? `${folded.slice(0, length - 1)}…` : folded;
}
