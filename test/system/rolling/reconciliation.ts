import type { Pool } from 'pg';
import { type Accepted } from './customers.js';
import { counted, type Outside } from './outside.js';

/** What the state of the platform and the world outside say about the calls of customers. */
export interface Reconciliation {
  /** What a client was told that it has, and the platform does not. */
  lost: string[];
  /** What was done twice, or was done and has not ended. */
  double: string[];
  /** What the model was called for more often than needed, and how often: it is paid for each call. */
  repeatedModelCalls: string[];
}

const MODEL_CALLS: Record<string, number> = { task: 2, chat: 1, run: 1, item: 1 };

/** Compares the tables of a company and the calls that arrived outside with what clients were told. */
export async function reconcile(
  sql: Pool,
  companyId: number,
  accepted: Accepted,
  outside: Outside,
): Promise<Reconciliation> {
  const names = async (text: string): Promise<{ name: string; status: string }[]> =>
    (await sql.query<{ name: string; status: string }>(text, [companyId])).rows;
  const tasks = await names(TASKS);
  const runs = await names(RUNS);
  const applications = await names(APPLICATIONS);
  const requests = await names(REQUESTS);
  const items = await names(ITEMS);
  const lost = [
    ...missing(accepted.tasks, tasks, 'COMPLETED'),
    ...missing(accepted.runs, runs, 'COMPLETED'),
    ...missing(accepted.items, items, 'COMPLETED'),
    ...missing(
      accepted.applications.map(({ name }) => name),
      applications,
    ),
    ...missing(
      accepted.chats.map(({ requestId }) => requestId),
      requests,
    ),
    ...[...accepted.tasks, ...accepted.runs]
      .filter((name) => !outside.effects().has(name))
      .map((name) => `the effect of ${name}`),
  ];
  const twice = (rows: { name: string }[]): string[] =>
    [...counted(rows.map(({ name }) => name))].flatMap(([name, count]) =>
      count > 1 ? [`${name}: ${count} times`] : [],
    );
  const double = [
    ...[tasks, runs, applications, requests, items].flatMap(twice),
    ...[...tasks, ...runs]
      .filter(({ status }) => status !== 'COMPLETED')
      .map(({ name, status }) => `${name} is ${status}`),
    ...[...outside.effects()].flatMap(([name, keys]) => (keys.size > 1 ? [`${name}: ${keys.size} effects`] : [])),
  ];
  const repeatedModelCalls = [...outside.modelCalls()].flatMap(([name, count]) => {
    const needed = MODEL_CALLS[name.split(' ')[0] ?? ''] ?? 1;
    return count > needed ? [`${name}: ${count} in place of ${needed} calls of the model`] : [];
  });
  return { lost, double, repeatedModelCalls };
}

function missing(wanted: string[], rows: { name: string; status: string }[], status?: string): string[] {
  const found = new Map(rows.map((row) => [row.name, row.status]));
  return wanted.flatMap((name) => {
    if (!found.has(name)) return [`${name} is gone`];
    return status !== undefined && found.get(name) !== status ? [`${name} is ${found.get(name)}`] : [];
  });
}

const TASKS = `SELECT input_messages -> -1 ->> 'content' AS name, status FROM agents.tasks WHERE company_id = $1`;
const RUNS = `SELECT input ->> 'name' AS name, status FROM workflows.runs WHERE company_id = $1`;
const APPLICATIONS = `SELECT application_name AS name, '' AS status FROM traffic.applications
  WHERE company_id = $1 AND application_name LIKE 'written %'`;
const REQUESTS = `SELECT request_id AS name, '' AS status FROM traffic.requests WHERE company_id = $1`;
const ITEMS = `SELECT coalesce(adapted_input #>> '{messages,-1,content}', id::text) AS name, status
  FROM "test-runs".run_items WHERE company_id = $1`;
