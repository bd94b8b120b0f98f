import { useState } from 'preact/hooks';
import type { AgentsCreateActionInput } from '@signalbox/sdk';
import { usePortal } from '../api/portal.js';
import type { Listing } from '../declared/declaration.js';
import { listPageWith } from '../declared/pages.js';
import { Dialog } from '../parts/dialog.js';
import { Field, Form } from '../parts/form.js';
import { Lamp } from '../parts/lamp.js';
import { choiceOf, oneOf, SEARCH } from './declared/fields.js';
import { CHANGED } from './declared/columns.js';

type Kind = 'HOSTED' | 'EXTERNAL';

interface Row {
  id: number;
  agent_name: string;
  kind: Kind;
  application_name: string | null;
  status: string;
  model: string | null;
  latest_version: string | null;
  has_unpublished_changes: boolean;
  date_updated: number;
}

const AGENTS: Listing<Row> = {
  title: 'Agents',
  noun: 'agent',
  about: 'An agent answers by a model, and does what its actions let it do.',
  path: () => '/agents',
  idOf: ({ id }) => id,
  columns: [
    {
      title: 'Agent',
      width: '2fr',
      cell: ({ agent_name }) => agent_name,
    },
    { title: 'Application', width: '1fr', cell: ({ application_name }) => application_name ?? '–' },
    {
      title: 'State',
      width: '120px',
      cell: ({ status, kind }) =>
        kind === 'HOSTED' ? <Lamp state={status} /> : <span class="badge">runs elsewhere</span>,
    },
    { title: 'Model', width: '1fr', cell: ({ model, kind }) => model ?? (kind === 'HOSTED' ? 'default' : '–') },
    {
      title: 'Version',
      width: '130px',
      cell: ({ latest_version, has_unpublished_changes }) =>
        latest_version === null ? 'none yet' : `${latest_version}${has_unpublished_changes ? ' + changes' : ''}`,
    },
    CHANGED,
  ],
  filters: [
    SEARCH,
    choiceOf('status', 'State', ['ENABLED', 'DISABLED']),
    oneOf('kind', 'Runs', { HOSTED: 'here', EXTERNAL: 'elsewhere' }),
  ],
  list: (api, input, _ids, signal) => api.agents.list(input, { signal }),
};

export const Agents = listPageWith(AGENTS, NewAgent);

export function NewAgent({
  close,
  made,
  prompt = '',
  action,
}: {
  close: () => void;
  made: (id: number) => void;
  prompt?: string;
  action?: Omit<AgentsCreateActionInput, 'agent_id'>;
}) {
  const { api } = usePortal();
  const [kind, setKind] = useState<Kind>('HOSTED');
  async function make({ agent_name = '', application = '', system_prompt = '' }: Record<string, string>) {
    const known = await api.applications.list({ search: application, limit: 100 });
    const found = known.data.find(({ application_name }) => application_name === application);
    const { id } = found ?? (await api.applications.create({ application_name: application }));
    const agent = await api.agents.create({
      application_id: id,
      agent_name,
      kind,
      ...(system_prompt ? { system_prompt } : {}),
    });
    if (action) await api.agents.createAction({ agent_id: agent.id, ...action });
    close();
    made(agent.id);
  }
  return (
    <Dialog title="New agent" close={close}>
      <Form submit={make} action="Make it">
        <Field label="Name">
          <input name="agent_name" required maxLength={200} autofocus />
        </Field>
        <Field label="Application" hint="What its calls belong to. A new one is made when there is none of this name.">
          <input name="application" required maxLength={200} defaultValue="My application" />
        </Field>
        {!action && (
          <Field
            label="Runs"
            hint={kind === 'EXTERNAL' ? 'It is watched by the traces that it sends; its page says where to.' : ''}
          >
            <select name="kind" value={kind} onChange={({ currentTarget }) => setKind(currentTarget.value as Kind)}>
              <option value="HOSTED">here</option>
              <option value="EXTERNAL">elsewhere</option>
            </select>
          </Field>
        )}
        {kind === 'HOSTED' && (
          <Field label="What should it do?">
            <textarea name="system_prompt" rows={4} defaultValue={prompt} />
          </Field>
        )}
      </Form>
    </Dialog>
  );
}
