import { Id } from '../../fields/fields.js';

/** The workflow id of a path; a part of the inputs of its resources. */
export class WorkflowPath {
  @Id() workflow_id!: number;
}
