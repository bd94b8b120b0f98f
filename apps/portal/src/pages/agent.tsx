import { Failure } from '../parts/failure.js';
import { useState } from 'preact/hooks';
import type { Agent } from '@signalbox/sdk';
import { useQueryClient } from '@tanstack/preact-query';
import { useParams } from 'wouter-preact';
import { usePortal } from '../api/portal.js';
import { Dialog } from '../parts/dialog.js';
import { Field, Form } from '../parts/form.js';
import { JsonView } from '../parts/json-view.js';
import { Lamp } from '../parts/lamp.js';
import { Loaded } from '../parts/loaded.js';
import { useParam } from '../parts/param.js';
import { Table } from '../parts/table.js';
import { Tabs } from '../parts/tabs.js';
import { Time } from '../parts/time.js';
import { Try } from '../parts/try.js';
import { oneLine } from '../rules/formats.js';
import { TaskRows } from './runs/tasks.js';

const TABS = ['Build', 'Runs', 'Versions', 'Releases'] as const;
type Tab = (typeof TABS)[number];

/** Builds and tries one agent on one page. */
export function AgentPage() {
  const { api } = usePortal();
  const id = Number(useParams<{ id: string }>().id);
  const [tab, setTab] = useParam('tab', 'Build');
  return (
    <Loaded name={['agent', id]} load={(signal) => api.agents.get({ agent_id: id }, { signal })}>
      {(agent, reload) => (
        <div class="page">
          <Head agent={agent} reload={reload} />
          <Tabs label="Agent" names={TABS} chosen={tab as Tab} choose={setTab}>
            {tab === 'Build' && (
              <div class="columns">
                <div class="stack">
                  <Prompt agent={agent} reload={reload} />
                  <Actions agent={agent} />
                </div>
                <Try agentId={id} fields={agent.form_fields} />
              </div>
            )}
            {tab === 'Runs' && <TaskRows filters={{ agent_id: id }} />}
            {tab === 'Versions' && <Versions id={id} />}
            {tab === 'Releases' && <Releases id={id} />}
          </Tabs>
        </div>
      )}
    </Loaded>
  );
}

function Head({ agent, reload }: { agent: Agent; reload: () => void }) {
  const { api, can, say } = usePortal();
  const [isPublishing, setIsPublishing] = useState(false);
  const cache = useQueryClient();
  async function publish({ version_notes = '', increment = 'minor' }: Record<string, string>) {
    const { version } = await api.agents.publishVersion({
      agent_id: agent.id,
      version_notes,
      increment: increment as 'minor',
    });
    setIsPublishing(false);
    say(`Published ${version}.`);
    reload();
    await cache.invalidateQueries({ queryKey: ['versions', agent.id] });
  }
  return (
    <div class="head">
      <h1>{agent.agent_name}</h1>
      <Lamp state={agent.status} />
      <span class="soft">
        agent {agent.id} · {agent.application_name ?? 'no application'} ·{' '}
        {agent.latest_version === null ? 'not published' : `latest ${agent.latest_version}`}
        {agent.has_unpublished_changes ? ', with unpublished changes' : ''}
      </span>
      <button class="primary" aria-disabled={!can('write')} onClick={() => can('write') && setIsPublishing(true)}>
        Publish
      </button>
      {isPublishing && (
        <Dialog title="Publish the draft" close={() => setIsPublishing(false)}>
          <Form submit={publish} action="Publish">
            <Field label="Part of the number that grows">
              <select name="increment">
                <option>minor</option>
                <option>patch</option>
                <option>major</option>
              </select>
            </Field>
            <Field label="What changed">
              <textarea name="version_notes" rows={3} maxLength={2000} />
            </Field>
          </Form>
        </Dialog>
      )}
    </div>
  );
}

/** The fields of the draft that a person changes; each is saved when it is left. */
function Prompt({ agent, reload }: { agent: Agent; reload: () => void }) {
  const { api, can } = usePortal();
  const [saved, setSaved] = useState<{ field: string; at: number; was: unknown } | null>(null);
  const [error, setError] = useState<unknown>(null);
  const readOnly = !can('write');

  async function save(field: string, value: unknown): Promise<void> {
    const was = agent[field as keyof Agent];
    if ((was ?? '') === (value ?? '')) return;
    try {
      await api.agents.update({ agent_id: agent.id, [field]: value });
      setSaved({ field, at: Date.now(), was });
      setError(null);
    } catch (problem) {
      setError(problem);
    }
    reload();
  }
  const text = (field: keyof Agent) => ({
    name: field,
    readOnly,
    defaultValue: String(agent[field] ?? ''),
    key: `${field}-${String(agent[field])}`,
    onBlur: ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
      void save(field, currentTarget.value === '' ? null : currentTarget.value),
  });
  return (
    <section class="card" aria-label="Prompt">
      <div class="head">
        <h2>Prompt</h2>
        <span class="soft" role="status">
          {saved && (
            <>
              {saved.field.replaceAll('_', ' ')} saved <Time at={saved.at} />{' '}
              <button class="plain" onClick={() => void save(saved.field, saved.was)}>
                Undo
              </button>
            </>
          )}
        </span>
      </div>
      <Failure error={error} />
      <Field label="System prompt">
        <textarea rows={10} {...text('system_prompt')} />
      </Field>
      <Field label="Model" hint="Empty: the model of the application, else of the company.">
        <Loaded name={['models']} load={(signal) => api.models.listAvailable({}, { signal })}>
          {(models) => (
            <select
              disabled={readOnly}
              value={agent.model ?? ''}
              onChange={({ currentTarget }) => void save('model', currentTarget.value || null)}
            >
              <option value="">default</option>
              {namesOf(models).map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          )}
        </Loaded>
      </Field>
      <Field label="Most steps of one answer">
        <input
          type="number"
          min={1}
          max={100}
          readOnly={readOnly}
          defaultValue={String(agent.max_iterations)}
          onBlur={({ currentTarget }) => void save('max_iterations', Number(currentTarget.value))}
        />
      </Field>
    </section>
  );
}

const namesOf = (models: unknown): string[] => {
  const list = Array.isArray(models) ? models : ((models as { data?: unknown[] }).data ?? []);
  return list.map((model) =>
    String((model as { model_name?: string; id?: string }).model_name ?? (model as { id?: string }).id),
  );
};

const EXAMPLE = `{
  "method": "GET",
  "base_url": "https://orders.example",
  "endpoint": "/orders/{number}",
  "parameters": {"number": {"type": "string", "required": true}},
  "mock_response": {"number": "A-17", "status": "shipped"}
}`;

function Actions({ agent }: { agent: Agent }) {
  const { api, can } = usePortal();
  const cache = useQueryClient();
  const [isNew, setIsNew] = useState(false);
  const [shown, setShown] = useState<number | null>(null);
  const reload = () => cache.invalidateQueries({ queryKey: ['agent', agent.id] });

  async function add({
    action_name = '',
    action_type = 'api',
    description = '',
    action_config = '',
  }: Record<string, string>) {
    await api.agents.createAction({
      agent_id: agent.id,
      action_name,
      action_type: action_type as 'api',
      description,
      action_config: JSON.parse(action_config) as { endpoint: string },
    });
    setIsNew(false);
    await reload();
  }
  const toggle = async (id: number, enabled: boolean): Promise<void> => {
    await (enabled ? api.agents.disableAction({ action_id: id }) : api.agents.enableAction({ action_id: id }));
    await reload();
  };
  const action = agent.actions.find(({ id }) => id === shown);
  return (
    <section class="card" aria-label="Actions">
      <div class="head">
        <h2>Actions</h2>
        <button aria-disabled={!can('write')} onClick={() => can('write') && setIsNew(true)}>
          New action
        </button>
      </div>
      {agent.actions.length === 0 && <p class="soft">Without an action the agent only answers.</p>}
      {agent.actions.length > 0 && (
        <Table label="Actions" columns={['Name', 'Type', 'Does', 'State']}>
          {agent.actions.map(({ id, action_name, action_type, description, enabled, status }) => (
            <tr key={id}>
              <td>
                <button class="plain" onClick={() => setShown(id)}>
                  {action_name}
                </button>
              </td>
              <td>{action_type}</td>
              <td>{oneLine(description, 60)}</td>
              <td>
                <Lamp state={status} />{' '}
                <button aria-disabled={!can('write')} onClick={() => can('write') && void toggle(id, enabled)}>
                  {enabled ? 'Disable' : 'Enable'}
                </button>
              </td>
            </tr>
          ))}
        </Table>
      )}
      {action && (
        <Dialog title={`Action ${action.action_name}`} close={() => setShown(null)}>
          <p>{action.description}</p>
          <JsonView label="Configuration" value={action.action_config} />
        </Dialog>
      )}
      {isNew && (
        <Dialog title="New action" close={() => setIsNew(false)}>
          <Form submit={add} action="Add it">
            <Field label="Name" hint="As the model sees it.">
              <input name="action_name" required autofocus />
            </Field>
            <Field label="Type">
              <select name="action_type">
                <option value="api">api</option>
                <option value="webhook">webhook</option>
                <option value="llm">llm</option>
              </select>
            </Field>
            <Field label="What it does" hint="The model chooses by this sentence.">
              <input name="description" required />
            </Field>
            <Field label="Configuration (JSON)">
              <textarea name="action_config" class="mono" rows={9} defaultValue={EXAMPLE} />
            </Field>
          </Form>
        </Dialog>
      )}
    </section>
  );
}

function Versions({ id }: { id: number }) {
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

function Releases({ id }: { id: number }) {
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
