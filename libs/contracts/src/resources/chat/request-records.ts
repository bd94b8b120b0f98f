import { defineContract, JsonText } from '../../contract.js';
import { invalid } from '../../errors.js';
import type { FieldType } from '../../fields/field-types.js';
import { Count, field } from '../../fields/fields.js';

const BEGIN = '{"records":[\n';
const BETWEEN = ',\n';
const END = ']}';

/** Rows on their way between two processes of one service, which has made them itself: looked at no closer. */
const recordsType: FieldType = {
  schema: () => ({ type: 'array', items: {} }),
  problem: (value) => (Array.isArray(value) ? undefined : 'must be a list'),
};

/** Recorded calls of one company. */
export class RequestRecords {
  /** The JSON text of each; a text has no line break. */
  @field(recordsType) records!: string[];

  /** The message with these texts as they stand. */
  static textOf(records: readonly string[]): JsonText<RequestRecords> {
    return new JsonText(`${BEGIN}${records.join(BETWEEN)}${END}`);
  }

  /** The texts of a message as they stand: nothing of them is parsed, and nothing copied twice. */
  static fromText(text: string): RequestRecords {
    const isInLines = text.startsWith(BEGIN) && text.endsWith(END);
    const records = isInLines ? text.slice(BEGIN.length, -END.length).split(BETWEEN) : textsOf(text);
    return Object.assign(new RequestRecords(), { records });
  }
}

/** The same of a message of before, which had no lines. */
function textsOf(text: string): string[] {
  const { records } = JSON.parse(text) as { records?: unknown };
  if (!Array.isArray(records)) throw invalid([{ field: 'records', message: 'must be a list' }]);
  return records.map((record) => JSON.stringify(record));
}

/** How many records were taken. */
export class RecordsStored {
  @Count() stored!: number;
}

/** Internal: the log of model calls as those write it that make them elsewhere. */
export const requestRecords = defineContract(
  { name: 'request-records', service: 'traffic', tag: 'Internal' },
  {
    storeRecords: {
      summary: 'Write recorded calls to the log; those it has are left alone',
      input: RequestRecords,
      output: RecordsStored,
    },
    keepRecords: {
      summary: 'Keep recorded calls of a process that stops on the disk of another one',
      input: RequestRecords,
      output: RecordsStored,
    },
  },
);
