import { NOW_MS, protect, rolesOf, tenantTable } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const SERVICE = 'agents';
const { runtime, worker } = rolesOf(SERVICE);

const statements = [
  ...tenantTable(
    SERVICE,
    'sessions',
    [
      'agent_id int NOT NULL',
      'session_id text NOT NULL',
      `state jsonb NOT NULL DEFAULT '{}'`,
      'feedback_score int CHECK (feedback_score BETWEEN 1 AND 5)',
      'feedback_text text',
      'feedback_key_id int',
      'feedback_at bigint',
      `last_activity bigint NOT NULL DEFAULT ${NOW_MS}`,
      'FOREIGN KEY (company_id, agent_id) REFERENCES agents.agents (company_id, id)',
    ],
    [`CREATE UNIQUE INDEX sessions_key ON agents.sessions (company_id, agent_id, session_id) WHERE deleted_at IS NULL`],
  ),
  `CREATE TABLE agents.tasks (
    company_id int NOT NULL,
    id uuid NOT NULL,
    no bigint GENERATED ALWAYS AS IDENTITY,
    agent_id int NOT NULL,
    parent_task_id uuid,
    session_no int NOT NULL,
    session_id text NOT NULL,
    status text NOT NULL CHECK (status IN ('QUEUED', 'RUNNING', 'WAITING_WEBHOOK', 'COMPLETED', 'FAILED', 'CANCELLED')),
    version text,
    release text,
    application_id int NOT NULL,
    -- The agent as it was when the task was accepted: a draft may change under way, the task does not.
    snapshot jsonb NOT NULL,
    history jsonb NOT NULL DEFAULT '[]',
    input_messages jsonb NOT NULL,
    response_format jsonb,
    max_iterations int NOT NULL,
    max_cost double precision,
    has_secrets boolean NOT NULL,
    trigger text NOT NULL CHECK (trigger IN ('API', 'CHAT', 'WORKFLOW', 'TEST', 'SUB_AGENT')),
    metadata jsonb NOT NULL DEFAULT '{}',
    output jsonb,
    structured_output jsonb,
    model text,
    iterations int NOT NULL DEFAULT 0,
    failure_class text,
    error_code text,
    error_message text,
    prompt_tokens bigint NOT NULL DEFAULT 0,
    completion_tokens bigint NOT NULL DEFAULT 0,
    total_tokens bigint NOT NULL DEFAULT 0,
    cost double precision,
    last_seq int NOT NULL DEFAULT 0,
    date_created bigint NOT NULL DEFAULT ${NOW_MS},
    started_at bigint,
    completed_at bigint,
    CHECK ((status IN ('COMPLETED', 'FAILED', 'CANCELLED')) = (completed_at IS NOT NULL)),
    CHECK ((status = 'FAILED') = (failure_class IS NOT NULL)),
    PRIMARY KEY (company_id, id),
    FOREIGN KEY (company_id, agent_id) REFERENCES agents.agents (company_id, id),
    FOREIGN KEY (company_id, session_no) REFERENCES agents.sessions (company_id, id),
    FOREIGN KEY (company_id, parent_task_id) REFERENCES agents.tasks (company_id, id)
  )`,
  `CREATE INDEX tasks_of_agent ON agents.tasks (company_id, agent_id, no)`,
  `CREATE INDEX tasks_of_session ON agents.tasks (company_id, session_no, no)`,
  ...protect(SERVICE, 'tasks', 'SELECT, INSERT, UPDATE'),
  `GRANT USAGE ON SEQUENCE agents.tasks_no_seq TO ${runtime}`,
  `CREATE TABLE agents.task_steps (
    company_id int NOT NULL,
    task_id uuid NOT NULL,
    step_no int NOT NULL CHECK (step_no > 0),
    kind text NOT NULL CHECK (kind IN ('model', 'action')),
    status text NOT NULL CHECK (status IN ('SUCCESS', 'ERROR', 'TIMEOUT', 'PENDING')),
    request jsonb NOT NULL,
    result jsonb NOT NULL,
    duration_ms int NOT NULL,
    date_created bigint NOT NULL DEFAULT ${NOW_MS},
    PRIMARY KEY (company_id, task_id, step_no),
    FOREIGN KEY (company_id, task_id) REFERENCES agents.tasks (company_id, id)
  )`,
  // A record is inserted once; only the pending record of a background action gets its result later.
  ...protect(SERVICE, 'task_steps', 'SELECT, INSERT, UPDATE (status, result, duration_ms)'),
  `CREATE TABLE agents.task_events (
    company_id int NOT NULL,
    task_id uuid NOT NULL,
    seq int NOT NULL CHECK (seq > 0),
    type text NOT NULL,
    data jsonb NOT NULL,
    timestamp bigint NOT NULL,
    PRIMARY KEY (company_id, task_id, seq),
    FOREIGN KEY (company_id, task_id) REFERENCES agents.tasks (company_id, id)
  )`,
  ...protect(SERVICE, 'task_events', 'SELECT, INSERT'),
  // Separate from the stream, because results of background actions arrive after its terminal event.
  `CREATE TABLE agents.task_timeline (
    company_id int NOT NULL,
    no bigint GENERATED ALWAYS AS IDENTITY,
    task_id uuid NOT NULL,
    session_no int NOT NULL,
    type text NOT NULL,
    data jsonb NOT NULL,
    timestamp bigint NOT NULL,
    PRIMARY KEY (company_id, no),
    FOREIGN KEY (company_id, task_id) REFERENCES agents.tasks (company_id, id)
  )`,
  `CREATE INDEX task_timeline_of_task ON agents.task_timeline (company_id, task_id, no)`,
  `CREATE INDEX task_timeline_of_session ON agents.task_timeline (company_id, session_no, no)`,
  ...protect(SERVICE, 'task_timeline', 'SELECT, INSERT'),
  `GRANT USAGE ON SEQUENCE agents.task_timeline_no_seq TO ${runtime}`,
  // Processes that hold secrets of running tasks in memory. The table has no company column.
  `CREATE TABLE agents.secret_holders (holder uuid PRIMARY KEY, alive_until timestamptz NOT NULL)`,
  `GRANT SELECT, INSERT, UPDATE, DELETE ON agents.secret_holders TO ${worker}`,
  // Finds work of a dead holder by any kind.
  `CREATE INDEX work_held ON agents.work (kind) WHERE done_at IS NULL AND kind LIKE '%@%'`,
];

/** Tasks of agents with their steps, events and timeline, and the sessions they belong to. */
export class Tasks1700000003100 implements MigrationInterface {
  readonly name = 'Tasks1700000003100';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TABLE agents.secret_holders, agents.task_timeline, agents.task_events, agents.task_steps, agents.tasks, agents.sessions',
    );
  }
}
