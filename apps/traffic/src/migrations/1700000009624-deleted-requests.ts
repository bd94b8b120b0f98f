import { partitionIndex } from './partition-index.js';

/** Finds the deleted requests, which are few of all: the requests of a tag are counted by its assignments without them. */
export const DeletedRequests1700000009624 = partitionIndex('DeletedRequests1700000009624', {
  suffix: 'deleted',
  on: '(company_id, date_created, request_id) WHERE deleted_at IS NOT NULL',
});
