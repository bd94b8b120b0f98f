import type { Pool } from 'pg';
import type { Asked } from './family-plan.js';
import type { CallBack, OutsideCaller } from './outside-caller.js';

interface OrderStep {
  task_id: string;
  status: string;
  nonce: string | null;
}

/** Callbacks that were taken twice, or taken and lost; empty when each counted once. */
export async function callBackFaults(
  sql: Pool,
  companyId: number,
  outside: OutsideCaller,
  asked: ReadonlyMap<number, Asked>,
): Promise<string[]> {
  const { rows } = await sql.query<OrderStep>(
    `SELECT t.id AS task_id, t.status, s.result -> 'output' ->> 'nonce' AS nonce
     FROM agents.task_steps s JOIN agents.tasks t ON t.company_id = s.company_id AND t.id = s.task_id
     WHERE s.company_id = $1 AND s.request ->> 'tool' = 'order'`,
    [companyId],
  );
  const recorded = new Map(rows.map((row) => [row.task_id, row.nonce]));
  return [
    ...outside.faults,
    ...[...asked.values()].flatMap((family) => {
      const sent = outside.callBacks.filter(({ task }) => task === family.at);
      return faultsOf(family, sent, recorded.get(family.taskId));
    }),
  ];
}

function faultsOf({ at, taskId }: Asked, sent: CallBack[], recorded: string | null | undefined): string[] {
  const name = `task ${taskId} (number ${at})`;
  const taken = sent.filter((callBack) => callBack.taken);
  if (taken.length > 1) return [`${taken.length} callbacks of ${name} were taken, for one step`];
  // A task that was cancelled or lost its secrets has no use for its callback any more.
  if (recorded === undefined) return [];
  const used = sent.find(({ nonce }) => nonce === recorded);
  if (!used) return [`${name} goes on with ${String(recorded)}, which nobody has sent`];
  if (taken[0] && taken[0] !== used) return [`${name} took "${taken[0].nonce}" and goes on with "${used.nonce}"`];
  if (!used.taken && !used.unheard) return [`${name} refused "${used.nonce}" and goes on with it`];
  return [];
}
