import { usePortal } from '../../api/portal.js';
import { Loaded } from '../../parts/loaded.js';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';

/** The published versions of an agent. */
export function Versions({ id }: { id: number }) {
  const { api } = usePortal();
  return (
    <Loaded
      name={['versions', id]}
      load={(signal) => api.agents.listVersions({ agent_id: id, limit: 100 }, { signal })}
    >
      {({ data }) =>
        data.length === 0 ? (
          <p class="soft">Nothing is published. «Publish» freezes the draft into version 1.0.0.</p>
        ) : (
          <Table label="Versions" columns={['Version', 'Notes', 'Published']}>
            {data.map(({ version, notes, date_created, is_latest }) => (
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

/** The releases of an agent; the board of releases moves them. */
export function Releases({ id }: { id: number }) {
  const { api } = usePortal();
  return (
    <Loaded
      name={['releases', id]}
      load={(signal) => api.agents.listReleases({ agent_id: id, limit: 100 }, { signal })}
    >
      {({ data }) =>
        data.length === 0 ? (
          <p class="soft">A release is a name that points at a version, so that callers need not change.</p>
        ) : (
          <Table label="Releases" columns={['Release', 'Version', 'Gate', 'Moved']}>
            {data.map(({ name, version_number, is_default, gate_policy, moved_at }) => (
              <tr key={name}>
                <td>
                  {name} {is_default && <span class="soft">default</span>}
                </td>
                <td>{version_number}</td>
                <td>
                  {gate_policy
                    ? `test set ${gate_policy.test_set_id}, at least ${gate_policy.min_match_rate * 100} %`
                    : 'none'}
                </td>
                <td>
                  <Time at={moved_at} />
                </td>
              </tr>
            ))}
          </Table>
        )
      }
    </Loaded>
  );
}
