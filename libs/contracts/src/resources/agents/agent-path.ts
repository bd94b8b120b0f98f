import { Id } from '../../fields/fields.js';

/** The agent id of a path; a part of the inputs of its resources. */
export class AgentPath {
  @Id() agent_id!: number;
}
