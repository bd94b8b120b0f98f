import { useState } from 'preact/hooks';
import { Table } from '../../parts/table.js';
import { count, duration, money, sentenceCase } from '../../rules/formats.js';
import { changeWords, type Group, GROUPS, moversOf, type UsageLine, type UsageTable } from '../../rules/usage.js';

const FIRST = 10;

export function Movers({
  now,
  before,
  group,
  labelOf,
}: {
  now: UsageTable;
  before: UsageTable;
  group: Group;
  labelOf: (line: Pick<UsageLine, 'key' | 'label'>) => string;
}) {
  const [all, setAll] = useState(false);
  const movers = moversOf(now, before);
  const lines = new Map(now.lines.map((line) => [line.key, line]));
  const shown = all ? movers : movers.slice(0, FIRST);
  const numbers = ['Cost', 'Cost before', 'Requests', 'Requests before', 'Tokens', 'Slowest p95'];
  const [cost, costBefore, requests, requestsBefore, ...others] = numbers as [string, string, string, string];
  const name = sentenceCase(GROUPS[group]);
  const columns = [name, cost, costBefore, 'Change of cost', requests, requestsBefore, 'Change of requests', ...others];
  return (
    <section class="card" aria-label="Top movers">
      <h2>Top movers against the span before</h2>
      {movers.length === 0 ? (
        <p class="soft">Nothing has changed.</p>
      ) : (
        <Table label="Costs and requests now and before" columns={columns} numbers={numbers}>
          {shown.map(({ key, label, cost, costBefore, requests, requestsBefore }) => (
            <tr key={key}>
              <td>{labelOf({ key, label })}</td>
              <td class="number">{money(cost)}</td>
              <td class="number">{money(costBefore)}</td>
              <td>{changeWords(cost, costBefore)}</td>
              <td class="number">{count(requests)}</td>
              <td class="number">{count(requestsBefore)}</td>
              <td>{changeWords(requests, requestsBefore)}</td>
              <td class="number">{count(lines.get(key)?.tokens ?? 0)}</td>
              <td class="number">{duration(lines.get(key)?.worstP95)}</td>
            </tr>
          ))}
        </Table>
      )}
      {!all && movers.length > FIRST && (
        <div>
          <button onClick={() => setAll(true)}>{`All ${count(movers.length)}`}</button>
        </div>
      )}
    </section>
  );
}
