import { emits, type OnOff } from '@signalbox/contracts';

export interface WorkflowState {
  status: OnOff;
}

const switched = (status: OnOff) => emits(status === 'ENABLED' ? 'workflow.enabled' : 'workflow.disabled');

export function updateWorkflow<Change extends { status?: OnOff }>(workflow: WorkflowState, change: Change) {
  if (Object.keys(change).length === 0) return {};
  const turned = change.status !== undefined && change.status !== workflow.status;
  return {
    set: change,
    events: [emits('workflow.updated'), ...(turned ? [switched(change.status as OnOff)] : [])],
  };
}

export function switchWorkflow(workflow: WorkflowState, status: OnOff) {
  if (workflow.status === status) return {};
  return { set: { status }, events: [switched(status)], action: status === 'ENABLED' ? 'enable' : 'disable' };
}
