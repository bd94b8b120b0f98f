import type { VersionDiff } from '@signalbox/sdk';
import { Table } from '../../parts/table.js';
import { differencesOf } from '../../rules/version-diff.js';

export function Difference({ diff }: { diff: VersionDiff }) {
  const differences = differencesOf(diff);
  if (differences.length === 0) return <p class="soft">No difference between the two is known.</p>;
  return (
    <Table label="What changes" columns={['What', 'From', 'To']}>
      {differences.map(({ what, from, to }) => (
        <tr key={what}>
          <td>{what}</td>
          <td class="soft">{from}</td>
          <td>{to}</td>
        </tr>
      ))}
    </Table>
  );
}
