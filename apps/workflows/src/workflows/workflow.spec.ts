import { switchWorkflow, updateWorkflow } from './workflow.js';

describe('a workflow', () => {
  it('that is changed emits one event, and another when its status changes', () => {
    expect(updateWorkflow({ status: 'ENABLED' }, {})).toEqual({});
    expect(updateWorkflow({ status: 'ENABLED' }, { status: 'ENABLED' }).events).toEqual([
      { event: 'workflow.updated' },
    ]);
    expect(updateWorkflow({ status: 'ENABLED' }, { status: 'DISABLED' }).events).toEqual([
      { event: 'workflow.updated' },
      { event: 'workflow.disabled' },
    ]);
  });

  it('is switched once', () => {
    expect(switchWorkflow({ status: 'ENABLED' }, 'ENABLED')).toEqual({});
    expect(switchWorkflow({ status: 'DISABLED' }, 'ENABLED')).toEqual({
      set: { status: 'ENABLED' },
      events: [{ event: 'workflow.enabled' }],
      action: 'enable',
    });
  });
});
