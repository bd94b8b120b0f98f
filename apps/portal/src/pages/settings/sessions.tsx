import { usePortal } from '../../api/portal.js';
import { Loaded } from '../../parts/loaded.js';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';
import { browserWords } from '../../rules/browsers.js';
import { NoAdmin } from './no-admin.js';

export function Sessions() {
  const { api, can } = usePortal();
  if (!can('admin')) return <NoAdmin title="Portal sessions" />;
  return (
    <div class="page">
      <div class="head">
        <h1>Portal sessions</h1>
      </div>
      <Loaded name={['sessions']} load={(signal) => api.portalSessions.list({ limit: 100 }, { signal })}>
        {({ data }, reload) => (
          <Table label="Portal sessions" columns={['Browser', 'Key', 'Signed in', 'Last seen']} actions>
            {data.map(({ id, user_agent, key_name, date_created, last_seen_at }) => (
              <tr key={id}>
                <td title={user_agent}>{browserWords(user_agent)}</td>
                <td>{key_name}</td>
                <td>
                  <Time at={date_created} />
                </td>
                <td>
                  <Time at={last_seen_at} />
                </td>
                <td>
                  <button
                    class="danger"
                    onClick={() => void api.portalSessions.end({ portal_session_id: id }).finally(reload)}
                  >
                    End
                  </button>
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Loaded>
    </div>
  );
}
