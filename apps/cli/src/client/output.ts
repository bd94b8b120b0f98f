import type { Page, PagedList } from '@signalbox/sdk';
import type { Command } from './catalog.js';
import { CsvLines } from './csv.js';
import type { Options } from './options.js';
import { fields, type Row, table } from './tables.js';
import { UsageError } from './usage-error.js';
import { yaml } from './yaml.js';

export const FORMATS = ['table', 'json', 'yaml', 'csv'] as const;
export type Format = (typeof FORMATS)[number];

const JSON_INDENT = 2;
const print = (text: string): void => console.log(text);
const write = (text: string): void => void process.stdout.write(text);
const isFormat = (text: string): text is Format => (FORMATS as readonly string[]).includes(text);

/** `-o` of a command with a download names a file, unless it is the name of a format. */
export function formatOf({ json, output }: Options, hasDownload: boolean): Format {
  if (output !== undefined && isFormat(output)) return output;
  if (output !== undefined && !hasDownload) throw new UsageError(`--output must be one of ${FORMATS.join(', ')}`);
  return json ? 'json' : 'table';
}

function printOnly(value: unknown, field: string): void {
  for (const row of Array.isArray(value) ? value : [value]) {
    const found = (row as Row | null)?.[field];
    if (found === undefined) throw new UsageError(`the reply has no field ${field}`);
    print(typeof found === 'string' ? found : JSON.stringify(found));
  }
}

const columnsIn = ({ columns }: Options): string[] | undefined => columns?.split(',');

export function printValue(value: unknown, options: Options, format: Format): void {
  if (options.only !== undefined) return printOnly(value, options.only);
  if (format === 'yaml') return print(yaml(value));
  if (format === 'csv') return write(new CsvLines(columnsIn(options)).of([value].flat() as Row[]));
  if (format === 'json' || typeof value !== 'object' || value === null)
    return print(JSON.stringify(value, null, JSON_INDENT));
  if (Array.isArray(value)) return print(table(value as Row[], columnsIn(options)));
  print(fields(value as Row));
}

export async function printPages(
  list: PagedList<Row>,
  options: Options,
  format: Format,
  { columns }: Pick<Command, 'columns'>,
): Promise<void> {
  if (format === 'csv' && options.only === undefined)
    return options.all ? printAllCsv(list, options, columns) : printCsv(await list, options);
  const page = options.all ? await allPages(list) : await list;
  if (options.only !== undefined) return printOnly(page.data, options.only);
  if (format === 'json') return print(JSON.stringify(page, null, JSON_INDENT));
  if (format === 'yaml') return print(yaml(page));
  print(table(page.data, columnsIn(options)));
  printPosition(page);
}

function printCsv(page: Page<Row>, options: Options): void {
  write(new CsvLines(columnsIn(options)).of(page.data));
  printPosition(page);
}

/** Page by page: a list may be longer than fits in memory. */
async function printAllCsv(list: PagedList<Row>, options: Options, known?: readonly string[]): Promise<void> {
  const lines = new CsvLines(columnsIn(options), known);
  for await (const { data } of list.pages()) write(lines.of(data));
  const { missing } = lines;
  if (missing.length > 0)
    console.error(
      `without columns, because they first came behind the head: ${missing.join(', ')}; name them in --columns`,
    );
}

function printPosition({ data, pagination: { total, offset } }: Page<Row>): void {
  if (data.length === 0 && offset > 0) return console.error(`nothing from ${offset + 1} on: there are ${total}`);
  const last = offset + data.length;
  const next = last < total ? `; --offset ${last} shows the next` : '';
  if (next !== '' || offset > 0) console.error(`${offset + 1} to ${last} of ${total}${next}`);
}

async function allPages(list: PagedList<Row>): Promise<Page<Row>> {
  const data = await list.all();
  return { data, pagination: { total: data.length, offset: 0, limit: data.length } };
}
