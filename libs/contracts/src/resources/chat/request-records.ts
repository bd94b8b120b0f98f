import { defineContract } from '../../contract.js';
import { JsonText } from '../../contract/outputs.js';
import { invalid } from '../../errors.js';
import type { FieldType } from '../../fields/field-types.js';
import { Count, field } from '../../fields/fields.js';

const BEGIN = '{"records":[\n';
const BETWEEN = ',\n';
const END = ']}';

/** Rows in transit between two processes of one service; they are not validated because that service wrote them. */
const recordsType: FieldType = {
  schema: () => ({ type: 'array', items: {} }),
  problem: (value) => (Array.isArray(value) ? undefined : 'must be a list'),
};

export class RequestRecords {
  /** The JSON text of each record; a text contains no line break. */
  @field(recordsType) records!: string[];

  /** Encodes records as a message; the texts are included unchanged. */
  static textOf(records: readonly string[]): JsonText<RequestRecords> {
    return new JsonText(`${BEGIN}${records.join(BETWEEN)}${END}`);
  }

  /** Decodes a message into record texts; they are neither parsed nor copied twice. */
  static fromText(text: string): RequestRecords {
    const isInLines = text.startsWith(BEGIN) && text.endsWith(END);
    const records = isInLines ? text.slice(BEGIN.length, -END.length).split(BETWEEN) : textsOf(text);
    return Object.assign(new RequestRecords(), { records });
  }
}

/** Decodes a message of an earlier version, which has no lines. */
function textsOf(text: string): string[] {
  const { records } = JSON.parse(text) as { records?: unknown };
  if (!Array.isArray(records)) throw invalid([{ field: 'records', message: 'must be a list' }]);
  return records.map((record) => JSON.stringify(record));
}

export class RecordsStored {
  @Count() stored!: number;
}

/** Internal: writes model calls of other processes to the request log. */
export const requestRecords = defineContract(
  { name: 'request-records', service: 'traffic', tag: 'Internal' },
  {
    storeRecords: {
      summary: 'Write recorded calls to the log; those it already has are skipped',
      input: RequestRecords,
      output: RecordsStored,
    },
    keepRecords: {
      summary: 'Hand the recorded calls of a stopping process to the disk of another one',
      input: RequestRecords,
      output: RecordsStored,
    },
  },
);
