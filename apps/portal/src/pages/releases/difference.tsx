import type { VersionDiff } from '@signalbox/sdk';
import { Diff } from '../../parts/diff.js';
import { Table } from '../../parts/table.js';
import { differencesOf } from '../../rules/version-diff.js';

export function Difference({ diff }: { diff: VersionDiff }) {
  const differences = differencesOf(diff);
  if (differences.length === 0) return <p class="soft">No difference between the two is known.</p>;
  const short = differences.filter(({ isLong }) => !isLong);
  return (
    <section class="stack" aria-label="What changes">
      <h2>What changes</h2>
      {short.length > 0 && (
        <Table label="Fields" columns={['What', 'From', 'To']}>
          {short.map(({ what, from, to }) => (
            <tr key={what}>
              <td>{what}</td>
              <td class="soft">{from}</td>
              <td>{to}</td>
            </tr>
          ))}
        </Table>
      )}
      {differences.map(({ what, from, to, isLong }) => isLong && <Diff key={what} label={what} from={from} to={to} />)}
    </section>
  );
}
