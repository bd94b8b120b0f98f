import { usePortal } from '../api/portal.js';
import { bytes } from '../rules/formats.js';
import { Loaded } from './loaded.js';
import { Table } from './table.js';

export function Artifacts({ runId, state, empty }: { runId: string; state: string; empty: string }) {
  const { api, login } = usePortal();
  return (
    <Loaded
      name={['artifacts', runId, state]}
      load={(signal) => api.workflows.listRunArtifacts({ run_id: runId, limit: 100 }, { signal })}
    >
      {({ data }) =>
        data.length === 0 ? (
          empty === '' ? null : (
            <p class="soft">{empty}</p>
          )
        ) : (
          <Table label="Artifacts" columns={['Artifact', 'Type', 'Size']}>
            {data.map(({ id, workflow_id, key, content_type, size_bytes }) => (
              <tr key={id}>
                <td>
                  <a
                    href={`/c/${login.company_id}/api/v1/workflows/${workflow_id}/artifacts/${id}/content`}
                    download={key.split('/').pop()}
                  >
                    {key}
                  </a>
                </td>
                <td>{content_type}</td>
                <td>{bytes(size_bytes)}</td>
              </tr>
            ))}
          </Table>
        )
      }
    </Loaded>
  );
}
