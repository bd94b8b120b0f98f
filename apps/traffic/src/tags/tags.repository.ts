import { Injectable } from '@nestjs/common';
import { type Caller, type Deleted, emits, type Tag } from '@signalbox/contracts';
import { CompanyRepository, Database, type View } from '@signalbox/database';
import { TagRules } from './rules/tag-rules.repository.js';
import { TagRow } from './tag.entity.js';

const view: View = {
  resource: 'tag',
  table: 'traffic.tags',
  columns: ['id', 'tag_name', 'color', 'description', 'date_created', 'date_updated'],
  computed: {
    request_count: `(SELECT count(*) FROM traffic.request_tags a WHERE a.company_id = t.company_id AND a.tag_id = t.id)`,
  },
  search: ['t.tag_name', 't.description'],
  sort: { tag_name: 't.tag_name' },
};

/**
 * Rows of tags.
 *
 * SQL: the assignments of a deleted tag are deleted in its transaction.
 */
@Injectable()
export class Tags extends CompanyRepository<TagRow, Tag> {
  constructor(
    db: Database,
    private readonly rules: TagRules,
  ) {
    super(db, { entity: TagRow, view, type: 'tag', taken: { tags_name: 'tag_name is taken' } });
  }

  /** Deletes a tag with its assignments and its rules. */
  drop(caller: Caller, id: number): Promise<Deleted> {
    return this.remove(
      caller,
      id,
      () => ({ events: [emits('tag.deleted')] }),
      async (tx) => {
        await tx.query('DELETE FROM traffic.request_tags WHERE company_id = $1 AND tag_id = $2', [tx.companyId, id]);
        await this.rules.removeOf(tx, id);
      },
    );
  }
}
