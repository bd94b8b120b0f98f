import { useState } from 'preact/hooks';
import type { ApiKey, NewApiKey } from '@signalbox/sdk';
import { usePortal } from '../../api/portal.js';
import { Copy } from '../../parts/copy.js';
import { Dialog } from '../../parts/dialog.js';
import { Field, Form } from '../../parts/form.js';
import { Lamp } from '../../parts/lamp.js';
import { Loaded } from '../../parts/loaded.js';
import { Question } from '../../parts/question.js';
import { ShownOnce } from '../../parts/shown-once.js';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';
import { exact } from '../../rules/formats.js';
import { NoAdmin } from './no-admin.js';

const SCOPES = [
  ['read', 'see everything of the company'],
  ['write', 'change definitions and settings'],
  ['invoke', 'run agents, workflows and models'],
  ['admin', 'keys, audit log, webhooks, providers, gates'],
  ['ingest', 'send traces of agents that run elsewhere; no other scope does'],
] as const;

const USUAL: readonly string[] = ['read', 'write', 'invoke'];

const DAY_MS = 86_400_000;
/** How long the old key works after a rotation. */
const GRACES = [
  [86_400, 'for 24 more hours'],
  [3600, 'for one more hour'],
  [604_800, 'for 7 more days'],
  [0, 'no longer'],
] as const;

const stateOf = ({ revoked_at, expires_at }: ApiKey): string =>
  revoked_at !== null || (expires_at !== null && expires_at < Date.now()) ? 'DISABLED' : 'ACTIVE';

const makerOf = ({ created_by_key_id: id }: ApiKey, keys: ApiKey[]): string =>
  id === null ? 'the platform' : (keys.find((key) => key.id === id)?.name ?? `key ${id}`);

function Usage({ secret }: { secret: string }) {
  const lines = {
    'As a variable': `SIGNALBOX_API_KEY=${secret}`,
    'With curl': `curl ${location.origin}/api/v1/agents -H 'X-Service-Api-Key: ${secret}'`,
  };
  return (
    <dl class="usage">
      {Object.entries(lines).map(([label, text]) => (
        <div key={label}>
          <dt class="hint">{label}</dt>
          <dd>
            <code>{text}</code> <Copy text={text} label={`Copy ${label.toLowerCase()}`} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

export function Keys() {
  const { api, can } = usePortal();
  const [isNew, setIsNew] = useState(false);
  const [made, setMade] = useState<NewApiKey | null>(null);
  if (!can('admin')) return <NoAdmin title="API keys" />;
  return (
    <div class="page">
      <div class="head">
        <h1>API keys</h1>
        <button class="primary" onClick={() => setIsNew(true)}>
          New key
        </button>
      </div>
      <Loaded name={['keys']} load={(signal) => api.apiKeys.list({ limit: 100 }, { signal }).all()}>
        {(keys, reload) => (
          <>
            <Table
              label="API keys"
              columns={['Name', 'Key', 'Scopes', 'State', 'Last used', 'Expires', 'Made by']}
              actions
            >
              {keys.map((key) => (
                <tr key={key.id}>
                  <td>{key.name}</td>
                  <td>
                    <code class="whole">
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
                  <td>{key.expires_at === null ? 'never' : <time>{exact(key.expires_at).slice(0, 16)}</time>}</td>
                  <td>{makerOf(key, keys)}</td>
                  <td class="actions">
                    {key.revoked_at === null && <KeyActions apiKey={key} reload={reload} rotated={setMade} />}
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
      {made?.key && (
        <ShownOnce name="key" secret={made.key} close={() => setMade(null)}>
          <Usage secret={made.key} />
        </ShownOnce>
      )}
    </div>
  );
}

function KeyActions({
  apiKey: { id: api_key_id, name, last_used_at },
  reload,
  rotated,
}: {
  apiKey: ApiKey;
  reload: () => void;
  rotated: (key: NewApiKey) => void;
}) {
  const { api, say } = usePortal();
  const [asks, setAsks] = useState<'rotate' | 'revoke' | null>(null);
  const close = (): void => setAsks(null);
  return (
    <>
      <button onClick={() => setAsks('rotate')}>
        Rotate<span class="visually-hidden"> {name}</span>
      </button>{' '}
      <button class="danger" onClick={() => setAsks('revoke')}>
        Revoke<span class="visually-hidden"> {name}</span>
      </button>
      {asks === 'rotate' && (
        <Question
          title={`Rotate ${name}?`}
          action="Make the new key"
          act={async ({ grace = '' }) => {
            const key = await api.apiKeys.rotate({ api_key_id, grace_seconds: Number(grace) });
            // Restores the focus before the key is shown.
            close();
            rotated(key);
            reload();
          }}
          close={close}
        >
          <p>A new key with the same name, scopes and expiry takes its place.</p>
          <Field label="The old key works">
            <select name="grace" autofocus>
              {GRACES.map(([seconds, words]) => (
                <option value={seconds} key={seconds}>
                  {words}
                </option>
              ))}
            </select>
          </Field>
        </Question>
      )}
      {asks === 'revoke' && (
        <Question
          title={`Revoke ${name}?`}
          action="Revoke the key"
          act={async () => {
            await api.apiKeys.revoke({ api_key_id });
            say(`${name} is revoked.`);
            reload();
          }}
          close={close}
        >
          <p>
            Whatever uses it is refused within five seconds, for good. It was last used <Time at={last_used_at} />.
          </p>
        </Question>
      )}
    </>
  );
}

function NewKey({ close, made }: { close: () => void; made: (key: NewApiKey) => void }) {
  const { api } = usePortal();
  async function make({ name = '', days = '', ...given }: Record<string, string>) {
    const scopes = SCOPES.map(([scope]) => scope).filter((scope) => given[scope] === 'on');
    const expires_at = days === '' ? null : Date.now() + Number(days) * DAY_MS;
    const key = await api.apiKeys.create({ name, scopes, expires_at });
    close();
    made(key);
  }
  return (
    <Dialog title="New key" close={close}>
      <Form submit={make} action="Make it">
        <Field label="Name">
          <input name="name" required maxLength={200} autofocus />
        </Field>
        <fieldset class="stack tight">
          <legend class="hint">Scopes</legend>
          {SCOPES.map(([scope, opens]) => (
            <label class="check-line" key={scope}>
              <input type="checkbox" name={scope} defaultChecked={USUAL.includes(scope)} /> {scope}: {opens}
            </label>
          ))}
        </fieldset>
        <Field label="Expires">
          <select name="days">
            <option value="">never</option>
            <option value="30">in 30 days</option>
            <option value="90">in 90 days</option>
            <option value="365">in a year</option>
          </select>
        </Field>
      </Form>
    </Dialog>
  );
}
