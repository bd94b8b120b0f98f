import { usePortal } from '../../api/portal.js';
import { Loaded } from '../../parts/loaded.js';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';

export function Versions({ id, empty }: { id: number; empty: string }) {
  const { api } = usePortal();
  return (
    <Loaded
      name={['versions', id]}
      load={(signal) => api.agents.listVersions({ agent_id: id, limit: 100 }, { signal }).all()}
    >
      {(versions) =>
        versions.length === 0 ? (
          <p class="soft">{empty}</p>
        ) : (
          <Table label="Versions" columns={['Version', 'Notes', 'Published']}>
            {versions.map(({ version, notes, date_created, is_latest }) => (
              <tr key={version}>
                <td>
                  {version} {is_latest && <span class="soft">latest</span>}
                </td>
                <td>{notes || '–'}</td>
                <td>
                  <Time at={date_created * 1000} />
                </td>
              </tr>
            ))}
          </Table>
        )
      }
    </Loaded>
  );
}
