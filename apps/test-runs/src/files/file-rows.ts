import { Readable } from 'node:stream';
import { ApiError, invalidField, parse, type TestSetFileRow, TestSetFileRow as Row } from '@signalbox/contracts';
import { linesOf } from '@signalbox/database';
import { csvCell } from '@signalbox/platform';
import { CsvError, parse as csvParser } from 'csv-parse';

export type FileRow = { line: number; row: TestSetFileRow } | { line: number; problem: string };

/** Longest line or record in characters; an item cannot be larger. */
const MAX_CHARS = 12_582_912;
const MAX_MESSAGE = 1000;

const problemAt = (line: number, problem: string): FileRow => ({ line, problem: problem.slice(0, MAX_MESSAGE) });

function rowAt(line: number, value: unknown): FileRow {
  try {
    return { line, row: parse(Row, value) };
  } catch (error) {
    if (error instanceof ApiError) return problemAt(line, error.message);
    throw error;
  }
}

/** One object a line; blank lines are skipped. */
export async function* jsonlRows(texts: AsyncIterable<string>): AsyncGenerator<FileRow> {
  for await (const { line, text } of linesOf(texts, MAX_CHARS)) {
    if (text === null) yield problemAt(line, `the line has more than ${MAX_CHARS} characters`);
    else if (text.trim() !== '') yield jsonRow(line, text);
  }
}

function jsonRow(line: number, text: string): FileRow {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return problemAt(line, 'the line is not valid JSON');
  }
  return rowAt(line, value);
}

/** The last two text columns are short forms for people. */
const JSON_COLUMNS = ['input', 'expected_output', 'response_sub', 'meta'];
const TEXT_COLUMNS = ['source_type', 'source_id', 'flatten_variant', 'message', 'expected_text'];
const COLUMNS = [...JSON_COLUMNS, ...TEXT_COLUMNS];

/** RFC 4180 with a header; empty cells are absent. 400 for unknown columns, or without `input` and `message`. */
export async function* csvRows(texts: AsyncIterable<string>): AsyncGenerator<FileRow> {
  const parser = csvParser({
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_CHARS,
  });
  const records = Readable.from(texts)
    .on('error', (error) => parser.destroy(error))
    .pipe(parser);
  let columns: string[] | undefined;
  try {
    for await (const each of records as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      if (columns) yield csvRow(columns, each.record, each.info.lines);
      else columns = columnsOf(each.record);
    }
  } catch (error) {
    if (error instanceof CsvError) throw invalidField('file', `is not valid CSV: ${error.message.slice(0, 300)}`);
    throw error;
  }
}

function columnsOf(names: string[]): string[] {
  const columns = names.map((name) => name.trim());
  const unknown = columns.find((name) => !COLUMNS.includes(name));
  if (unknown !== undefined)
    throw invalidField(
      'file',
      `has an unknown column ${JSON.stringify(unknown.slice(0, 80))}: known are ${COLUMNS.join(', ')}`,
    );
  if (!columns.includes('input') && !columns.includes('message'))
    throw invalidField('file', 'needs a column input or message');
  return columns;
}

function csvRow(columns: readonly string[], cells: readonly string[], line: number): FileRow {
  if (cells.length > columns.length) return problemAt(line, `the row has ${cells.length} cells, not ${columns.length}`);
  const row: Record<string, unknown> = {};
  for (const [at, name] of columns.entries()) {
    const cell = csvCell(cells[at] ?? '');
    if (cell === '') continue;
    if (!JSON_COLUMNS.includes(name)) row[name] = cell;
    else
      try {
        row[name] = JSON.parse(cell);
      } catch {
        return problemAt(line, `${name} is not valid JSON`);
      }
  }
  const { message, expected_text, ...rest } = row;
  return rowAt(line, {
    ...(message === undefined ? {} : { input: { messages: [{ role: 'user', content: message }] } }),
    ...(expected_text === undefined ? {} : { expected_output: { text: expected_text } }),
    ...rest,
  });
}
