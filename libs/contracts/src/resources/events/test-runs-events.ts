import { defineEvents } from '../../events.js';
import { intType, stringType } from '../../fields/field-types.js';
import { Count, List, MapOf, omit } from '../../fields/fields.js';
import { EvaluationCriteria } from '../test-runs/evaluation-criteria.js';
import { TestRun } from '../test-runs/test-run-records.js';
import { TestSetItemRecord } from '../test-runs/test-sets/test-set-items.js';
import { TestSet } from '../test-runs/test-sets/test-sets.js';
import { Gone } from './event-data.js';

export class CriteriaRecord extends omit(EvaluationCriteria, 'prompt', 'config') {}

export class TestRunRecord extends omit(
  TestRun,
  'consumer_config',
  'scored_with',
  'scoring',
  'usage',
  'cost',
  'duration_ms',
) {}

export class TestRunScored extends TestRunRecord {
  @MapOf(intType(0)) errors_by_class!: Record<string, number>;
}

/** A test run whose failed items are executed again. */
export class TestRunReset extends TestRunRecord {
  @Count() count!: number;
  @List(stringType(1, 20)) classes!: string[];
}

export const testEvents = defineEvents('test-runs', {
  'test_set.created': { resource: 'test_set', data: TestSet, description: 'A test set was created' },
  'test_set.updated': { resource: 'test_set', data: TestSet, description: 'A test set was changed' },
  'test_set.deleted': { resource: 'test_set', data: Gone, description: 'A test set was deleted' },
  'test_set_item.added': {
    resource: 'test_set_item',
    data: TestSetItemRecord,
    description: 'An item was added to a test set',
  },
  'test_set_item.updated': { resource: 'test_set_item', data: TestSetItemRecord, description: 'An item was changed' },
  'test_set_item.deleted': { resource: 'test_set_item', data: Gone, description: 'An item was deleted' },
  'test_set_item.override_set': {
    resource: 'test_set_item',
    data: TestSetItemRecord,
    description: 'The expected output of an item was overridden',
  },
  'test_set_item.override_removed': {
    resource: 'test_set_item',
    data: TestSetItemRecord,
    description: 'The override of an expected output was removed',
  },
  'evaluation_criteria.created': {
    resource: 'evaluation_criteria',
    data: CriteriaRecord,
    description: 'A criterion was created',
  },
  'evaluation_criteria.updated': {
    resource: 'evaluation_criteria',
    data: CriteriaRecord,
    description: 'A criterion was changed, enabled or disabled',
  },
  'evaluation_criteria.deleted': {
    resource: 'evaluation_criteria',
    data: Gone,
    description: 'A criterion was deleted',
  },
  'test_run.created': { resource: 'test_run', data: TestRunRecord, description: 'A test run was created' },
  'test_run.prepared': { resource: 'test_run', data: TestRunRecord, description: 'The items of a run were adapted' },
  'test_run.started': { resource: 'test_run', data: TestRunRecord, description: 'A test run was executed' },
  'test_run.completed': { resource: 'test_run', data: TestRunRecord, description: 'All items of a run have ended' },
  'test_run.scored': { resource: 'test_run', data: TestRunScored, description: 'The items of a run were scored' },
  'test_run.reset': { resource: 'test_run', data: TestRunReset, description: 'Failed items are executed again' },
  'test_run.deleted': { resource: 'test_run', data: Gone, description: 'A test run was deleted' },
});
