import type { Agent } from '@signalbox/sdk';
import { useParam } from '../../parts/param.js';
import { Tabs } from '../../parts/tabs.js';
import { ReleasesOf } from '../releases/releases-of.js';
import { TaskRows } from '../runs/tasks.js';
import { AgentSessionRows } from '../sessions/agent-sessions.js';
import { NumberedVersions } from './numbered-versions.js';
import { TraceOverview } from './trace-overview.js';

const TABS = ['Overview', 'Runs', 'Sessions', 'Versions', 'Releases'] as const;
type Tab = (typeof TABS)[number];

/** Runs elsewhere, so there is nothing to build or to try. */
export function ExternalAgent({ agent, reload }: { agent: Agent; reload: () => void }) {
  const [given, setTab] = useParam('tab', 'Overview');
  const tab = TABS.find((name) => name === given) ?? 'Overview';
  return (
    <Tabs label="Agent" names={TABS} chosen={tab} choose={(name: Tab) => setTab(name)}>
      {tab === 'Overview' && <TraceOverview agent={agent} />}
      {tab === 'Runs' && (
        <TaskRows filters={{ agent_id: agent.id }} empty="No trace of it has arrived yet: Overview says where to." />
      )}
      {tab === 'Sessions' && <AgentSessionRows agentId={agent.id} />}
      {tab === 'Versions' && <NumberedVersions agent={agent} changed={reload} />}
      {tab === 'Releases' && <ReleasesOf type="agent" id={agent.id} isPublished={agent.latest_version !== null} />}
    </Tabs>
  );
}
