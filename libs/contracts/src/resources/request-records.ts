import { defineContract } from '../contract.js';
import type { FieldType } from '../field-types.js';
import { Count, field } from '../fields.js';

/** Rows on their way between two processes of one service, which has made them itself: looked at no closer. */
const recordsType: FieldType = {
  schema: () => ({ type: 'array', items: { type: 'object' } }),
  problem: (value) =>
    Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null)
      ? undefined
      : 'must be a list of objects',
};

/** Recorded calls of one company. */
export class RequestRecords {
  @field(recordsType) records!: object[];
}
/** How many records are in the log now. */
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
  },
);
