import { Injectable } from '@nestjs/common';
import { notFound } from '@signalbox/contracts';
import { Database } from '@signalbox/database';
import type { CanonicalInput } from '../consumers/index.js';
import { INPUT_OF_ITEM } from './test-set-item-inputs.sql.js';

/** SQL: an item is read by its id alone, without the set. */
@Injectable()
export class TestSetItemInputs {
  constructor(private readonly db: Database) {}

  async input(companyId: number, id: number): Promise<CanonicalInput> {
    const [item] = await this.db.select<{ input: CanonicalInput }>(companyId, INPUT_OF_ITEM, [id]);
    if (!item) throw notFound('item');
    return item.input;
  }
}
