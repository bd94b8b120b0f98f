import type { Pool } from 'pg';
import type { Asked } from './plan.js';
import type { SentCallback, CallbackSender } from './callback-sender.js';

interface OrderStep {
  task_id: string;
  status: string;
  nonce: string | null;
}

export async function callBackFaults(
  sql: Pool,
  companyId: number,
  callbackSender: CallbackSender,
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
    ...callbackSender.faults,
    ...[...asked.values()].flatMap((family) => {
      const sent = callbackSender.callBacks.filter(({ task }) => task === family.at);
      return faultsOf(family, sent, recorded.get(family.taskId));
    }),
  ];
}

function faultsOf({ at, taskId }: Asked, sent: SentCallback[], recorded: string | null | undefined): string[] {
  const name = `task ${taskId} (number ${at})`;
  const accepted = sent.filter((callBack) => callBack.accepted);
  if (accepted.length > 1) return [`${accepted.length} callbacks of ${name} were accepted, for one step`];
  // A task that was cancelled or lost its secrets does not use its callback.
  if (recorded === undefined) return [];
  const used = sent.find(({ nonce }) => nonce === recorded);
  if (!used) return [`${name} continues with ${String(recorded)}, which was never sent`];
  if (accepted[0] && accepted[0] !== used)
    return [`${name} accepted "${accepted[0].nonce}" and continues with "${used.nonce}"`];
  if (!used.accepted && !used.unconfirmed) return [`${name} refused "${used.nonce}" and continues with it`];
  return [];
}
