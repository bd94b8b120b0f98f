import { type Consumption, consumption, type EventEnvelope } from '../events.js';
import { agentEvents, type AuditEntry, trafficEvents, workflowEvents } from '../resources/index.js';

/** An entry of the audit log in the form in which services write it to their outbox. */
export type CollectedEntry = Omit<AuditEntry, 'id'>;

/** What accounts consumes: the audit entries of every service, and all events for the webhooks. */
export const accountConsumers = {
  webhookEvents: { durable: 'accounts-webhooks', filter: 'events.>' } as Consumption<EventEnvelope>,
  auditEntries: { durable: 'accounts-audit-log', filter: 'audit.>' } as Consumption<CollectedEntry>,
};

/**
 * What agents consumes: the names and the end of the applications that agents are bound to, and the end of runs that may
 * have called agents.
 */
export const agentConsumers = {
  applicationUpdated: consumption(trafficEvents, 'application.updated', 'agents-application-names'),
  applicationDeleted: consumption(trafficEvents, 'application.deleted', 'agents-applications-gone'),
  runFailed: consumption(workflowEvents, 'workflow_run.failed', 'agents-runs-failed', ['id']),
  runTimedOut: consumption(workflowEvents, 'workflow_run.timed_out', 'agents-runs-timed-out', ['id']),
  runCancelled: consumption(workflowEvents, 'workflow_run.cancelled', 'agents-runs-cancelled', ['id']),
};

/** What monitors consumes: the sources it samples, and names and the end of what its targets are. */
export const monitorConsumers = {
  intentDeleted: consumption(trafficEvents, 'intent.deleted', 'monitors-intents-gone'),
  agentUpdated: consumption(agentEvents, 'agent.updated', 'monitors-agent-names'),
  requestCompleted: consumption(trafficEvents, 'request.completed', 'monitors-requests', [
    'request_id',
    'intent_id',
    'request_type',
  ]),
  taskCompleted: consumption(agentEvents, 'agent_task.completed', 'monitors-tasks', [
    'id',
    'agent_id',
    'parent_task_id',
    'trigger',
  ]),
  agentDeleted: consumption(agentEvents, 'agent.deleted', 'monitors-agents-gone'),
  workflowRunCompleted: consumption(workflowEvents, 'workflow_run.completed', 'monitors-workflow-runs', [
    'id',
    'workflow_id',
    'parent_run_id',
    'trigger',
  ]),
  workflowUpdated: consumption(workflowEvents, 'workflow.updated', 'monitors-workflow-names'),
  workflowDeleted: consumption(workflowEvents, 'workflow.deleted', 'monitors-workflows-gone'),
};

/**
 * What workflows consumes: the names and the end of the applications that workflows are bound to, and the end of tasks
 * that may have called workflows.
 */
export const workflowConsumers = {
  applicationUpdated: consumption(trafficEvents, 'application.updated', 'workflows-application-names'),
  applicationDeleted: consumption(trafficEvents, 'application.deleted', 'workflows-applications-gone'),
  taskFailed: consumption(agentEvents, 'agent_task.failed', 'workflows-tasks-failed', ['id']),
  taskCancelled: consumption(agentEvents, 'agent_task.cancelled', 'workflows-tasks-cancelled', ['id']),
};
