import { tenantTable } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const SERVICE = 'agents';
const OF_AGENT = 'FOREIGN KEY (company_id, agent_id) REFERENCES agents.agents (company_id, id)';

// Deferred, because a move rewrites several positions and passes through equal ones.
const ordered = (table: string): string =>
  `ALTER TABLE agents.${table} ADD CONSTRAINT ${table}_position EXCLUDE USING btree
     (company_id WITH =, agent_id WITH =, position WITH =) WHERE (deleted_at IS NULL) DEFERRABLE INITIALLY DEFERRED`;

const statements = [
  `ALTER TABLE agents.agents ADD routing jsonb NOT NULL DEFAULT '{"type": "llm", "default": {"type": "llm"}}'`,
  ...tenantTable(
    SERVICE,
    'sub_agents',
    [
      'agent_id int NOT NULL',
      'child_agent_id int NOT NULL',
      'version text',
      'release text',
      `action_result_type text NOT NULL CHECK (action_result_type IN ('gather_info', 'complete_task'))`,
      'position int NOT NULL CHECK (position >= 0)',
      'CHECK (agent_id <> child_agent_id)',
      'CHECK (version IS NULL OR release IS NULL)',
      OF_AGENT,
      'FOREIGN KEY (company_id, child_agent_id) REFERENCES agents.agents (company_id, id)',
    ],
    [
      `CREATE UNIQUE INDEX sub_agents_child ON agents.sub_agents (company_id, agent_id, child_agent_id) WHERE deleted_at IS NULL`,
      `CREATE INDEX sub_agents_parents ON agents.sub_agents (company_id, child_agent_id) WHERE deleted_at IS NULL`,
      ordered('sub_agents'),
    ],
  ),
  ...tenantTable(
    SERVICE,
    'form_fields',
    [
      'agent_id int NOT NULL',
      'field_key text NOT NULL',
      'label text NOT NULL',
      `field_type text NOT NULL CHECK (field_type IN ('string', 'number', 'boolean', 'date', 'enum', 'object', 'array'))`,
      'description text',
      'required boolean NOT NULL',
      'enum_values jsonb',
      'default_value jsonb',
      `read_scope text NOT NULL CHECK (read_scope IN ('all', 'self'))`,
      `write_scope text NOT NULL CHECK (write_scope IN ('all', 'self'))`,
      'position int NOT NULL CHECK (position >= 0)',
      OF_AGENT,
    ],
    [
      `CREATE UNIQUE INDEX form_fields_key ON agents.form_fields (company_id, agent_id, field_key) WHERE deleted_at IS NULL`,
      ordered('form_fields'),
    ],
  ),
  ...tenantTable(
    SERVICE,
    'routing_rules',
    [
      'agent_id int NOT NULL',
      'label text NOT NULL',
      'condition_expression text',
      'conditions jsonb NOT NULL',
      'route jsonb NOT NULL',
      'enabled boolean NOT NULL',
      'position int NOT NULL CHECK (position >= 0)',
      OF_AGENT,
    ],
    [ordered('routing_rules')],
  ),
];

/** Sub-agents, form fields and the routing of agents. */
export class AgentParts1700000003200 implements MigrationInterface {
  readonly name = 'AgentParts1700000003200';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE agents.routing_rules, agents.form_fields, agents.sub_agents');
    await runner.query('ALTER TABLE agents.agents DROP routing');
  }
}
