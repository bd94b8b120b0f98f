import { useState } from 'preact/hooks';
import type { Agent } from '@signalbox/sdk';
import { useQueryClient } from '@tanstack/preact-query';
import { useLocation } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { Lamp } from '../../parts/lamp.js';
import { Lifecycle } from '../../parts/lifecycle.js';
import { type Increment, PublishDialog } from '../../parts/publish-dialog.js';

export function Head({ agent, reload }: { agent: Agent; reload: () => void }) {
  const { api, can, say } = usePortal();
  const [isPublishing, setIsPublishing] = useState(false);
  const [, go] = useLocation();
  const cache = useQueryClient();
  const isHosted = agent.kind === 'HOSTED';
  const turns = {
    on: () => api.agents.enable({ agent_id: agent.id }),
    off: () => api.agents.disable({ agent_id: agent.id }),
  };
  async function publish(version_notes: string, increment: Increment) {
    const { version } = await api.agents.publishVersion({ agent_id: agent.id, version_notes, increment });
    setIsPublishing(false);
    say(`Published ${version}.`);
    reload();
    await cache.invalidateQueries({ queryKey: ['versions'] });
  }
  return (
    <div class="head">
      <h1>{agent.agent_name}</h1>
      {isHosted ? <Lamp state={agent.status} /> : <span class="badge">runs elsewhere</span>}
      <span class="soft">
        agent {agent.id} · {agent.application_name ?? 'no application'} ·{' '}
        {agent.latest_version === null
          ? isHosted
            ? 'not published'
            : 'no version known'
          : `latest ${agent.latest_version}`}
        {agent.latest_version !== null && agent.has_unpublished_changes ? ', with unpublished changes' : ''}
      </span>
      {isHosted && (
        <button class="primary" aria-disabled={!can('write')} onClick={() => can('write') && setIsPublishing(true)}>
          Publish
        </button>
      )}
      <Lifecycle
        name={agent.agent_name}
        noun="agent"
        isEnabled={agent.status === 'ENABLED'}
        detaches="Detach it from the intents that it answers and the monitors that watch it, if there are any"
        {...(isHosted ? { turns } : { ends: 'the next trace of its name begins a new agent' })}
        remove={(force) => api.agents.delete({ agent_id: agent.id, force })}
        changed={reload}
        gone={() => go('/agents')}
      />
      {isPublishing && (
        <PublishDialog latest={agent.latest_version} publish={publish} close={() => setIsPublishing(false)} />
      )}
    </div>
  );
}
