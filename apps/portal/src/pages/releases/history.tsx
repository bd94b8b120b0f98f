import type { ReleaseOverview } from '@signalbox/sdk';
import { usePortal } from '../../api/portal.js';
import type { ReleasesOf } from '../../api/releases.js';
import { Dialog } from '../../parts/dialog.js';
import { Loaded } from '../../parts/loaded.js';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';

export function History({
  release,
  calls,
  close,
  moveBack,
}: {
  release: ReleaseOverview;
  calls: ReleasesOf;
  close: () => void;
  moveBack: (version: string) => void;
}) {
  const { can } = usePortal();
  const { name, parent_name, parent_type, parent_id, version_number } = release;
  return (
    <Dialog title={`Moves of ${name} of ${parent_name}`} close={close}>
      <Loaded name={['moves', parent_type, parent_id, name]} load={(signal) => calls.moves(name, signal)}>
        {(moves) => (
          <Table label="Moves" columns={['When', 'From', 'To', 'Why it could']} actions>
            {moves.map(({ id, date_created, from_version, to_version, gate_result, override_reason }) => (
              <tr key={id}>
                <td>
                  <Time at={date_created} />
                </td>
                <td>{from_version ?? '–'}</td>
                <td>{to_version}</td>
                <td>
                  {override_reason ? `overridden: ${override_reason}` : gate_result ? 'gate was green' : 'no gate'}
                </td>
                <td>
                  {can('write') && from_version !== null && from_version !== version_number && (
                    <button onClick={() => moveBack(from_version)}>Move back to {from_version}</button>
                  )}
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Loaded>
    </Dialog>
  );
}
