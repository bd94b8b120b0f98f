import { Injectable } from '@nestjs/common';
import { inputHash, type ItemInputs, type TestInput } from '@signalbox/contracts';
import { Database } from '@signalbox/database';

const PAGE_ITEMS = 2000;
/** The inputs of one page, beyond which only its first item is longer. */
const PAGE_BYTES = 8_388_608;

/** The messages of an input; a text is what a user said. Other inputs are not those of a model. */
function messagesOf({ messages, input }: TestInput) {
  if (messages?.length) return messages;
  return typeof input === 'string' ? [{ role: 'user' as const, content: input }] : null;
}

/**
 * Reads the inputs of sets in pages.
 *
 * SQL: a page ends where its bodies exceed a number of bytes.
 */
@Injectable()
export class ItemInputPages {
  constructor(private readonly db: Database) {}

  async read(companyId: number, setId: number, after: number): Promise<ItemInputs> {
    const rows = await this.db.select<{ id: number; input: TestInput }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT t.id, t.input FROM (
           SELECT i.id, i.input, sum(i.body_bytes) OVER (ORDER BY i.id) - i.body_bytes AS before FROM (
             SELECT * FROM "test-runs".test_set_items WHERE company_id = s.company AND test_set_id = $2
               AND id > $3 AND deleted_at IS NULL ORDER BY id LIMIT ${PAGE_ITEMS}) i) t
         WHERE t.before < ${PAGE_BYTES} ORDER BY t.id OFFSET 0) x`,
      [setId, after],
    );
    const inputs = rows.flatMap(({ id, input }) => {
      const messages = messagesOf(input);
      return messages === null ? [] : [{ item_id: id, input_hash: inputHash(messages) }];
    });
    return { inputs, after: rows.at(-1)?.id ?? null };
  }
}
