export type Row = Record<string, unknown>;

const MOST_COLUMNS = 7;
const LONGEST_CELL = 60;
const FALLBACK_WIDTH = 120;
const GAP = '  ';

const isTime = (name: string, value: unknown): value is number =>
  typeof value === 'number' && value > 1_000_000_000_000 && /(^date_|_at$|^timestamp$|^last_)/.test(name);

/** Control characters, and those that reorder the text around them. */
const UNPRINTABLE = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** Escapes what would command the terminal: texts of users and models are hostile. */
export const printable = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replace(UNPRINTABLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

export function cell(name: string, value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (isTime(name, value)) return new Date(value).toISOString().slice(0, 19).replace('T', ' ');
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean);
  return printable(text.replace(/\s+/g, ' '));
}

const shortened = (text: string, width: number): string =>
  text.length > width ? `${text.slice(0, Math.max(1, width - 1))}…` : text;

function rank(name: string): number {
  const order = [/^id$/, /_id$|^key$/, /name$|^title$|^label$/, /^(status|state|outcome|severity)$/];
  const at = order.findIndex((pattern) => pattern.test(name));
  if (at >= 0) return at;
  return /^date_/.test(name) ? order.length + 1 : order.length;
}

function chosenColumns(rows: Row[]): string[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const plain = names.filter((name) => rows.every((row) => typeof row[name] !== 'object' || row[name] === null));
  const used = plain.filter((name) => rows.some((row) => row[name] !== null && row[name] !== undefined));
  const own = used.includes('id') ? used.filter((name) => name === 'id' || !name.endsWith('_id')) : used;
  return own
    .map((name, at) => ({ name, at }))
    .sort((a, b) => rank(a.name) - rank(b.name) || a.at - b.at)
    .slice(0, MOST_COLUMNS)
    .map(({ name }) => name);
}

export function table(
  rows: Row[],
  columns = chosenColumns(rows),
  width = process.stdout.columns ?? FALLBACK_WIDTH,
): string {
  if (rows.length === 0) return '(none)';
  const texts = [columns, ...rows.map((row) => columns.map((name) => shortened(cell(name, row[name]), LONGEST_CELL)))];
  const widths = columns.map((_, at) => Math.max(...texts.map((line) => line[at]?.length ?? 0)));
  return texts
    .map((line) =>
      line
        .map((text, at) => text.padEnd(widths[at] ?? 0))
        .join(GAP)
        .trimEnd(),
    )
    .map((line) => shortened(line, width))
    .join('\n');
}

export function fields(row: Row): string {
  const widest = Math.max(0, ...Object.keys(row).map((name) => name.length));
  return Object.entries(row)
    .map(([name, value]) => {
      const text = typeof value === 'string' ? value : cell(name, value);
      return printable(`${name.padEnd(widest)}  ${text.replaceAll('\n', `\n${' '.repeat(widest + GAP.length)}`)}`);
    })
    .join('\n');
}
