import { Failure } from '../../parts/failure.js';
import { useState } from 'preact/hooks';
import type { ApiKey, NewApiKey } from '@signalbox/sdk';
import { usePortal } from '../../api/portal.js';
import { Dialog } from '../../parts/dialog.js';
import { Field, Form } from '../../parts/form.js';
import { Lamp } from '../../parts/lamp.js';
import { Loaded } from '../../parts/loaded.js';
import { ShownOnce } from '../../parts/shown-once.js';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';
import { NoAdmin } from './no-admin.js';

const SCOPES = [
  ['read', 'see everything of the company'],
  ['write', 'change definitions and settings'],
  ['invoke', 'run agents, workflows and models'],
  ['admin', 'keys, audit log, webhooks, providers, gates'],
] as const;

const stateOf = ({ revoked_at, expires_at }: ApiKey): string =>
  revoked_at !== null || (expires_at !== null && expires_at < Date.now()) ? 'DISABLED' : 'ACTIVE';

/** The API keys of the company. */
export function Keys() {
  const { api, can } = usePortal();
  const [isNew, setIsNew] = useState(false);
  const [made, setMade] = useState<NewApiKey | null>(null);
  const [error, setError] = useState<unknown>(null);
  if (!can('admin')) return <NoAdmin title="API keys" />;
  return (
    <div class="page">
      <div class="head">
        <h1>API keys</h1>
        <button class="primary" onClick={() => setIsNew(true)}>
          New key
        </button>
      </div>
      <Failure error={error} />
      <Loaded name={['keys']} load={(signal) => api.apiKeys.list({ limit: 100 }, { signal })}>
        {({ data }, reload) => (
          <>
            <Table label="API keys" columns={['Name', 'Key', 'Scopes', 'State', 'Last used']} actions>
              {data.map((key) => (
                <tr key={key.id}>
                  <td>{key.name}</td>
                  <td>
                    <code>
                      {key.key_prefix}…{key.last4}
                    </code>
                  </td>
                  <td>{key.scopes.join(', ')}</td>
                  <td>
                    <Lamp state={stateOf(key)} />
                  </td>
                  <td>
                    <Time at={key.last_used_at} />
                  </td>
                  <td>
                    {key.revoked_at === null && (
                      <KeyActions apiKey={key} reload={reload} failed={setError} rotated={setMade} />
                    )}
                  </td>
                </tr>
              ))}
            </Table>
            {isNew && (
              <NewKey
                close={() => setIsNew(false)}
                made={(key) => {
                  setMade(key);
                  reload();
                }}
              />
            )}
          </>
        )}
      </Loaded>
      {made?.key && <ShownOnce name="key" secret={made.key} close={() => setMade(null)} />}
    </div>
  );
}

function KeyActions({
  apiKey,
  reload,
  failed,
  rotated,
}: {
  apiKey: ApiKey;
  reload: () => void;
  failed: (error: unknown) => void;
  rotated: (key: NewApiKey) => void;
}) {
  const { api } = usePortal();
  const [asks, setAsks] = useState(false);
  const act = (call: Promise<unknown>): void => {
    call
      .then(() => failed(null), failed)
      .finally(() => {
        setAsks(false);
        reload();
      });
  };
  return (
    <>
      <button onClick={() => act(api.apiKeys.rotate({ api_key_id: apiKey.id }).then(rotated))}>Rotate</button>{' '}
      <button class="danger" onClick={() => setAsks(true)}>
        Revoke
      </button>
      {asks && (
        <Dialog title={`Revoke ${apiKey.name}?`} close={() => setAsks(false)}>
          <p>
            Whatever uses it is refused within five seconds. It was last used <Time at={apiKey.last_used_at} />.
          </p>
          <button class="danger" onClick={() => act(api.apiKeys.revoke({ api_key_id: apiKey.id }))}>
            Revoke {apiKey.name}
          </button>
        </Dialog>
      )}
    </>
  );
}

function NewKey({ close, made }: { close: () => void; made: (key: NewApiKey) => void }) {
  const { api } = usePortal();
  async function make({ name = '', ...given }: Record<string, string>) {
    const scopes = SCOPES.map(([scope]) => scope).filter((scope) => given[scope] === 'on');
    made(await api.apiKeys.create({ name, scopes }));
    close();
  }
  return (
    <Dialog title="New key" close={close}>
      <Form submit={make} action="Make it">
        <Field label="Name">
          <input name="name" required maxLength={200} autofocus />
        </Field>
        {SCOPES.map(([scope, opens]) => (
          <label key={scope}>
            <span>
              <input type="checkbox" name={scope} defaultChecked={scope !== 'admin'} /> {scope}: {opens}
            </span>
          </label>
        ))}
      </Form>
    </Dialog>
  );
}
