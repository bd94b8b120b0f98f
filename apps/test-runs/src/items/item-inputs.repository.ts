import { Injectable } from '@nestjs/common';
import { inputHash, type ItemInputs, type TestInput } from '@signalbox/contracts';
import { Database } from '@signalbox/database';
import { PAGE_OF_INPUTS } from './item-inputs.sql.js';

/** A text is a user message; null for inputs that are not for a model. */
function messagesOf({ messages, input }: TestInput) {
  if (messages?.length) return messages;
  return typeof input === 'string' ? [{ role: 'user' as const, content: input }] : null;
}

/** SQL: a page ends where its bodies exceed a number of bytes. */
@Injectable()
export class ItemInputPages {
  constructor(private readonly db: Database) {}

  async read(companyId: number, setId: number, after: number): Promise<ItemInputs> {
    const rows = await this.db.select<{ id: number; input: TestInput }>(companyId, PAGE_OF_INPUTS, [setId, after]);
    const inputs = rows.flatMap(({ id, input }) => {
      const messages = messagesOf(input);
      return messages === null ? [] : [{ item_id: id, input_hash: inputHash(messages) }];
    });
    return { inputs, after: rows.at(-1)?.id ?? null };
  }
}
