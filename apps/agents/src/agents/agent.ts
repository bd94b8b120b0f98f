import { invalidField, type OnOff } from '@signalbox/contracts';

/** The part of an agent that its rules look at. */
export interface AgentState {
  status: OnOff;
}

/** Only http and https are spoken, and credentials in an address would be logged by others. */
export function checkHttpUrl(field: string, url: string | null | undefined): void {
  if (url == null) return;
  const parsed = /^https?:\/\//i.test(url) && URL.canParse(url) ? new URL(url) : null;
  if (!parsed) throw invalidField(field, 'must be an http or https URL');
  if (parsed.username || parsed.password)
    throw invalidField(field, 'must not contain a user name or password: they belong in auth');
}

const switched = (status: OnOff) => ({ event: status === 'ENABLED' ? 'agent.enabled' : 'agent.disabled' });

/** What an update leaves in the row; it tells of a change of status beside the update itself. */
export function updateAgent<Change extends { status?: OnOff; base_url?: string | null }>(
  agent: AgentState,
  change: Change,
) {
  checkHttpUrl('base_url', change.base_url);
  if (Object.keys(change).length === 0) return {};
  const turned = change.status !== undefined && change.status !== agent.status;
  return {
    set: change,
    events: [{ event: 'agent.updated' }, ...(turned ? [switched(change.status as OnOff)] : [])],
  };
}

/** Enables or disables an agent; the same state is no change. */
export function switchAgent(agent: AgentState, status: OnOff) {
  if (agent.status === status) return {};
  return { set: { status }, events: [switched(status)], action: status === 'ENABLED' ? 'enable' : 'disable' };
}
