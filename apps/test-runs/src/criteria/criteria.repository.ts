import { Injectable } from '@nestjs/common';
import type { EvaluationCriteria } from '@signalbox/contracts';
import { CompanyRepository, Database } from '@signalbox/database';
import { CriterionRow } from './criterion.entity.js';
import { view } from './criteria.sql.js';

const TAKEN = { evaluation_criteria_name: 'an evaluation criterion of this name exists already' };

@Injectable()
export class Criteria extends CompanyRepository<CriterionRow, EvaluationCriteria> {
  constructor(db: Database) {
    super(db, { entity: CriterionRow, view, type: 'evaluation_criteria', uniqueViolations: TAKEN });
  }
}
