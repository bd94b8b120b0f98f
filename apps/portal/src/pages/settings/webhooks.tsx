import { useState } from 'preact/hooks';
import type { NewWebhook as Created, Webhook } from '@signalbox/sdk';
import { Link } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { Dialog } from '../../parts/dialog.js';
import { Empty } from '../../parts/empty.js';
import { Field, Form } from '../../parts/form.js';
import { Lamp } from '../../parts/lamp.js';
import { Loaded } from '../../parts/loaded.js';
import { ShownOnce } from '../../parts/shown-once.js';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';

export function Webhooks() {
  const { api, can } = usePortal();
  const [isNew, setIsNew] = useState(false);
  const [created, setCreated] = useState<Created | null>(null);
  return (
    <div class="page">
      <div class="head">
        <h1>Webhooks</h1>
        <button class="primary" aria-disabled={!can('admin')} onClick={() => can('admin') && setIsNew(true)}>
          New webhook
        </button>
      </div>
      <Loaded name={['webhooks']} load={(signal) => api.webhooks.list({ limit: 100 }, { signal }).all()}>
        {(webhooks, reload) => (
          <>
            {webhooks.length === 0 ? (
              <Empty title="Events are sent nowhere yet.">
                <p class="soft">A webhook gets each event as a signed POST, and again until it takes it.</p>
              </Empty>
            ) : (
              <Table label="Webhooks" columns={['Address', 'Events', 'State', 'Last delivery']}>
                {webhooks.map((webhook) => (
                  <tr key={webhook.id}>
                    <td>
                      <Link href={`/settings/webhooks/${webhook.id}`}>{webhook.url}</Link>
                      {webhook.description && <p class="soft">{webhook.description}</p>}
                    </td>
                    <td>{webhook.events.join(', ')}</td>
                    <td>
                      <Lamp state={webhook.enabled ? 'ENABLED' : 'DISABLED'} />
                    </td>
                    <td>
                      <Time at={webhook.last_delivery_at} />
                    </td>
                  </tr>
                ))}
              </Table>
            )}
            {isNew && (
              <Dialog title="New webhook" close={() => setIsNew(false)}>
                <WebhookForm
                  action="Make it"
                  submit={async (fields) => {
                    setCreated(await api.webhooks.create(fields));
                    setIsNew(false);
                    reload();
                  }}
                />
              </Dialog>
            )}
          </>
        )}
      </Loaded>
      {created?.secret && (
        <ShownOnce name="signing secret" secret={created.secret} close={() => setCreated(null)}>
          <p class="soft">Check each delivery with it: header X-Service-Signature.</p>
        </ShownOnce>
      )}
    </div>
  );
}

export function WebhookForm({
  webhook,
  action,
  submit,
}: {
  webhook?: Webhook;
  action: string;
  submit: (fields: { url: string; events: string[]; description: string | null }) => Promise<unknown>;
}) {
  const { api } = usePortal();
  return (
    <Form
      action={action}
      submit={({ url = '', events = '', description = '' }) =>
        submit({ url, events: events.split(/[\s,]+/).filter(Boolean), description: description || null })
      }
    >
      <Field label="Address" hint="https, on a public address.">
        <input name="url" type="url" required autofocus defaultValue={webhook?.url ?? ''} placeholder="https://…" />
      </Field>
      <Field label="Events" hint="Names, families such as agent_task.*, or * for all; separated by spaces.">
        <input name="events" required list="event-types" defaultValue={webhook?.events.join(' ') ?? '*'} />
      </Field>
      <Field label="Description">
        <input name="description" maxLength={2000} defaultValue={webhook?.description ?? ''} />
      </Field>
      <Loaded name={['event types']} load={(signal) => api.webhooks.listEventTypes({}, { signal })}>
        {(types) => (
          <datalist id="event-types">
            {types.map(({ event, description }) => (
              <option key={event} value={event}>
                {description}
              </option>
            ))}
          </datalist>
        )}
      </Loaded>
    </Form>
  );
}
