import { Injectable } from '@nestjs/common';
import type { EvaluationCriteria } from '@signalbox/contracts';
import { CompanyRepository, Database, type View } from '@signalbox/database';
import { CriterionRow } from './criterion.entity.js';

const view: View = {
  resource: 'evaluation criteria',
  table: '"test-runs".evaluation_criteria',
  columns: [
    'id',
    'name',
    'description',
    'criteria_type',
    'method',
    'prompt',
    'config',
    'pass_threshold',
    'weight',
    'enabled',
    'date_created',
    'date_updated',
  ],
  search: ['t.name', 't.description'],
  sort: { name: 't.name', weight: 't.weight' },
  large: ['prompt', 'config'],
};

const TAKEN = { evaluation_criteria_name: 'an evaluation criterion of this name exists already' };

@Injectable()
export class Criteria extends CompanyRepository<CriterionRow, EvaluationCriteria> {
  constructor(db: Database) {
    super(db, { entity: CriterionRow, view, type: 'evaluation_criteria', taken: TAKEN });
  }
}
