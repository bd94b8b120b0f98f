import { Id } from '../../fields/fields.js';

/** The agent a path begins with; part of the inputs of its resources, none by itself. */
export class AgentPath {
  @Id() agent_id!: number;
}
