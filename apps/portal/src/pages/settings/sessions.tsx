import { useState } from 'preact/hooks';
import type { PortalSession } from '@signalbox/sdk';
import { usePortal } from '../../api/portal.js';
import { Loaded } from '../../parts/loaded.js';
import { Question } from '../../parts/question.js';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';
import { browserWords } from '../../rules/browsers.js';
import { NoAdmin } from './no-admin.js';

export function Sessions() {
  const { api, can } = usePortal();
  const [unwanted, setUnwanted] = useState<PortalSession | null>(null);
  if (!can('admin')) return <NoAdmin title="Portal sessions" />;
  return (
    <div class="page">
      <div class="head">
        <h1>Portal sessions</h1>
      </div>
      <Loaded name={['sessions']} load={(signal) => api.portalSessions.list({ limit: 100 }, { signal }).all()}>
        {(sessions, reload) => (
          <>
            <Table label="Portal sessions" columns={['Browser', 'Key', 'Signed in', 'Last seen']} actions>
              {sessions.map((session) => (
                <tr key={session.id}>
                  <td title={session.user_agent}>{browserWords(session.user_agent)}</td>
                  <td>{session.key_name}</td>
                  <td>
                    <Time at={session.date_created} />
                  </td>
                  <td>
                    <Time at={session.last_seen_at} />
                  </td>
                  <td>
                    <button class="danger" onClick={() => setUnwanted(session)}>
                      End
                    </button>
                  </td>
                </tr>
              ))}
            </Table>
            {unwanted && (
              <Question
                title="End this session?"
                action="End the session"
                act={() => api.portalSessions.end({ portal_session_id: unwanted.id }).then(reload)}
                close={() => setUnwanted(null)}
              >
                <p>
                  {browserWords(unwanted.user_agent)} is signed out at once, and needs the key {unwanted.key_name} to
                  sign in again.
                </p>
              </Question>
            )}
          </>
        )}
      </Loaded>
    </div>
  );
}
