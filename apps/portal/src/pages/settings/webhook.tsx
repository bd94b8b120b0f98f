import { Failure } from '../../parts/failure.js';
import { useState } from 'preact/hooks';
import type { NewWebhook as Created, Webhook as Shown, WebhookDelivery } from '@signalbox/sdk';
import { useQueryClient } from '@tanstack/preact-query';
import { useLocation, useParams } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { Dialog } from '../../parts/dialog.js';
import { Empty } from '../../parts/empty.js';
import { Field } from '../../parts/form.js';
import { JsonView } from '../../parts/json-view.js';
import { Lamp } from '../../parts/lamp.js';
import { Loaded } from '../../parts/loaded.js';
import { useParam } from '../../parts/param.js';
import { Question } from '../../parts/question.js';
import { type Column, Rows } from '../../parts/rows.js';
import { ShownOnce } from '../../parts/shown-once.js';
import { Time } from '../../parts/time.js';
import { duration } from '../../rules/formats.js';
import { WebhookForm } from './webhooks.js';

const COLUMNS: Column<WebhookDelivery>[] = [
  { title: 'State', width: '120px', cell: ({ status }) => <Lamp state={status} /> },
  { title: 'Event', width: '2fr', cell: ({ event }) => event },
  { title: 'Answer', width: '2fr', cell: (delivery) => answerOf(delivery) },
  { title: 'Attempts', width: '80px', isNumber: true, cell: ({ attempt_count }) => attempt_count },
  { title: 'Duration', width: '90px', isNumber: true, cell: ({ duration_ms }) => duration(duration_ms) },
  { title: 'Made', width: '110px', cell: ({ date_created }) => <Time at={date_created} /> },
];

const answerOf = ({ last_status_code, last_error }: WebhookDelivery): string =>
  last_error ?? (last_status_code === null ? '–' : String(last_status_code));

export function WebhookPage() {
  const { api } = usePortal();
  const webhook_id = Number(useParams<{ id: string }>().id);
  return (
    <div class="page">
      <Loaded name={['webhook', webhook_id]} load={(signal) => api.webhooks.get({ webhook_id }, { signal })}>
        {(webhook, reload) => (
          <>
            <Head webhook={webhook} changed={reload} />
            {webhook.disabled_reason && <p class="why">Switched off: {webhook.disabled_reason}.</p>}
            <div class="strip">
              <span>
                <small>State</small> <Lamp state={webhook.enabled ? 'ENABLED' : 'DISABLED'} />
              </span>
              <span>
                <small>Events</small> <b>{webhook.events.join(', ')}</b>
              </span>
              <span>
                <small>Secret</small> <code>…{webhook.secret_last4}</code>
              </span>
            </div>
            <Deliveries webhookId={webhook_id} />
          </>
        )}
      </Loaded>
    </div>
  );
}

function Head({ webhook, changed }: { webhook: Shown; changed: () => void }) {
  const { api, can, say } = usePortal();
  const [, go] = useLocation();
  const [dialog, setDialog] = useState<'edit' | 'rotate' | 'delete' | null>(null);
  const [rotated, setRotated] = useState<Created | null>(null);
  const [error, setError] = useState<unknown>(null);
  const { id: webhook_id, enabled } = webhook;
  const act = (call: Promise<unknown>, done: string): void => {
    call
      .then(() => {
        setError(null);
        say(done);
        changed();
      })
      .catch(setError);
  };
  return (
    <>
      <div class="head">
        <h1>{webhook.url}</h1>
        {can('admin') && (
          <>
            <button onClick={() => act(api.webhooks.test({ webhook_id }), 'A test event is on its way.')}>
              Send a test
            </button>
            <button
              onClick={() =>
                act(api.webhooks.update({ webhook_id, enabled: !enabled }), enabled ? 'Switched off.' : 'Switched on.')
              }
            >
              {enabled ? 'Switch off' : 'Switch on'}
            </button>
            <button onClick={() => setDialog('rotate')}>Rotate secret</button>
            <button onClick={() => setDialog('edit')}>Edit</button>
            <button class="danger" onClick={() => setDialog('delete')}>
              Delete
            </button>
          </>
        )}
      </div>
      <Failure error={error} />
      {dialog === 'edit' && (
        <Dialog title="Edit the webhook" close={() => setDialog(null)}>
          <WebhookForm
            webhook={webhook}
            action="Save"
            submit={async (fields) => {
              await api.webhooks.update({ webhook_id, ...fields });
              setDialog(null);
              changed();
            }}
          />
        </Dialog>
      )}
      {dialog === 'rotate' && (
        <Question
          title="Rotate the secret?"
          action="Make the new secret"
          act={async () => {
            const made = await api.webhooks.rotateSecret({ webhook_id });
            // Restores the focus before the secret is shown.
            setDialog(null);
            setRotated(made);
            changed();
          }}
          close={() => setDialog(null)}
        >
          <p>Both secrets sign for the next 24 hours, then the new one alone.</p>
        </Question>
      )}
      {dialog === 'delete' && (
        <Question
          title="Delete this webhook?"
          action="Delete the webhook"
          act={async () => {
            await api.webhooks.delete({ webhook_id });
            go('/settings/webhooks');
          }}
          close={() => setDialog(null)}
        >
          <p>{webhook.url} gets nothing more, and its deliveries are gone.</p>
        </Question>
      )}
      {rotated?.secret && (
        <ShownOnce name="signing secret" secret={rotated.secret} close={() => setRotated(null)}>
          <p class="soft">Both secrets sign for the next 24 hours.</p>
        </ShownOnce>
      )}
    </>
  );
}

function Deliveries({ webhookId }: { webhookId: number }) {
  const { api } = usePortal();
  const [status, setStatus] = useParam('status');
  const [opened, setOpened] = useState<WebhookDelivery | null>(null);
  const filters = { webhook_id: webhookId, ...(status ? { status: [status as 'FAILED'] } : {}) };
  return (
    <>
      <div class="bar">
        <Field label="Deliveries">
          <select value={status} onChange={({ currentTarget }) => setStatus(currentTarget.value)}>
            <option value="">all</option>
            <option value="PENDING">pending</option>
            <option value="SUCCEEDED">succeeded</option>
            <option value="FAILED">failed</option>
          </select>
        </Field>
      </div>
      <Rows<WebhookDelivery>
        label="Deliveries"
        name={['deliveries', filters]}
        columns={COLUMNS}
        live="newest"
        load={(offset, limit, signal) => api.webhooks.listDeliveries({ ...filters, offset, limit }, { signal })}
        open={setOpened}
        empty={<Empty title={status ? 'No delivery is in this state.' : 'Nothing has been delivered yet.'} />}
      />
      {opened && <Delivery delivery={opened} close={() => setOpened(null)} />}
    </>
  );
}

function Delivery({ delivery, close }: { delivery: WebhookDelivery; close: () => void }) {
  const { api, can, say } = usePortal();
  const cache = useQueryClient();
  const [error, setError] = useState<unknown>(null);
  const replay = (): void => {
    api.webhooks.replayDelivery({ webhook_id: delivery.webhook_id, delivery_id: delivery.id }).then(() => {
      say('It is delivered again.');
      void cache.invalidateQueries({ queryKey: ['deliveries'] });
      close();
    }, setError);
  };
  return (
    <Dialog title={delivery.event} close={close}>
      <div class="strip">
        <Lamp state={delivery.status} />
        <span>
          <small>Answer</small> <b>{answerOf(delivery)}</b>
        </span>
        <span>
          <small>Attempts</small> <b>{delivery.attempt_count}</b>
        </span>
        {delivery.next_attempt_at !== null && (
          <span>
            <small>Next attempt</small> <b>{new Date(delivery.next_attempt_at).toLocaleTimeString('sv-SE')}</b>
          </span>
        )}
        {delivery.replay_of !== null && <span>Replay of {delivery.replay_of}</span>}
      </div>
      <Failure error={error} />
      {can('admin') && delivery.status !== 'PENDING' && (
        <div>
          <button class="primary" onClick={replay}>
            Deliver again
          </button>
        </div>
      )}
      <JsonView label="Sent" value={delivery.request_body} />
      <JsonView label="Answered" value={delivery.response_excerpt || '(nothing)'} />
    </Dialog>
  );
}
