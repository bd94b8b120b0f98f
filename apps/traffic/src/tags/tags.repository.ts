import { Injectable } from '@nestjs/common';
import { type Caller, type Deleted, emits, type Tag } from '@signalbox/contracts';
import { CompanyRepository, Database } from '@signalbox/database';
import { TagRules } from './rules/tag-rules.repository.js';
import { TagRow } from './tag.entity.js';
import { DELETE_ASSIGNMENTS, view } from './tags.sql.js';

/** SQL: the assignments of a deleted tag are deleted in its transaction. */
@Injectable()
export class Tags extends CompanyRepository<TagRow, Tag> {
  constructor(
    db: Database,
    private readonly rules: TagRules,
  ) {
    super(db, { entity: TagRow, view, type: 'tag', uniqueViolations: { tags_name: 'tag_name is taken' } });
  }

  drop(caller: Caller, id: number): Promise<Deleted> {
    return this.remove(
      caller,
      id,
      () => ({ events: [emits('tag.deleted')] }),
      async (tx) => {
        await tx.query(DELETE_ASSIGNMENTS, [tx.companyId, id]);
        await this.rules.removeOf(tx, id);
      },
    );
  }
}
