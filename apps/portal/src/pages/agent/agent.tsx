import type { Agent } from '@signalbox/sdk';
import { useParams } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { Loaded } from '../../parts/loaded.js';
import { textOf } from '../../parts/messages.js';
import { useParam } from '../../parts/param.js';
import { Tabs } from '../../parts/tabs.js';
import { Try } from '../../parts/try.js';
import { ReleasesOf } from '../releases/releases-of.js';
import { TaskRows } from '../runs/tasks.js';
import { Actions } from './actions.js';
import { ExternalAgent } from './external-agent.js';
import { FormFields } from './form-fields.js';
import { Head } from './head.js';
import { AgentMcpServers } from './mcp-servers.js';
import { Prompt } from './prompt.js';
import { Routing } from './routing.js';
import { SubAgents } from './sub-agents.js';
import { Versions } from './versions.js';

const TABS = ['Build', 'Runs', 'Versions', 'Releases'] as const;
type Tab = (typeof TABS)[number];

export function AgentPage() {
  const { api } = usePortal();
  const id = Number(useParams<{ id: string }>().id);
  return (
    <Loaded name={['agent', id]} load={(signal) => api.agents.get({ agent_id: id }, { signal })}>
      {(agent, reload) => (
        <div class="page">
          <Head agent={agent} reload={reload} />
          {agent.kind === 'EXTERNAL' ? (
            <ExternalAgent agent={agent} reload={reload} />
          ) : (
            <HostedAgent agent={agent} reload={reload} />
          )}
        </div>
      )}
    </Loaded>
  );
}

function TryFrom({ agent: { id, form_fields } }: { agent: Agent }) {
  const { api } = usePortal();
  const [task_id] = useParam('task');
  if (task_id === '') return <Try agentId={id} fields={form_fields} />;
  return (
    <Loaded name={['task', task_id]} load={(signal) => api.agents.getAnyTask({ task_id }, { signal })}>
      {({ input_messages }) => (
        <Try
          key={task_id}
          agentId={id}
          fields={form_fields}
          asked={textOf(input_messages.findLast(({ role }) => role === 'user')?.content)}
        />
      )}
    </Loaded>
  );
}

function HostedAgent({ agent, reload }: { agent: Agent; reload: () => void }) {
  const { id } = agent;
  const [tab, setTab] = useParam('tab', 'Build');
  return (
    <Tabs label="Agent" names={TABS} chosen={tab as Tab} choose={setTab}>
      {tab === 'Build' && (
        <div class="columns">
          <div class="stack">
            <Prompt agent={agent} reload={reload} />
            <Actions agent={agent} />
            <AgentMcpServers agent={agent} changed={reload} />
            <SubAgents agent={agent} changed={reload} />
            <Routing agent={agent} changed={reload} />
            <FormFields agent={agent} changed={reload} />
          </div>
          <div class="stays">
            <TryFrom agent={agent} />
          </div>
        </div>
      )}
      {tab === 'Runs' && <TaskRows filters={{ agent_id: id }} />}
      {tab === 'Versions' && (
        <Versions id={id} empty="Nothing is published. «Publish» freezes the draft into version 1.0.0." />
      )}
      {tab === 'Releases' && <ReleasesOf type="agent" id={id} isPublished={agent.latest_version !== null} />}
    </Tabs>
  );
}
