import { requireOf, switchTarget, updateTarget } from './target.js';

describe('a target', () => {
  it('is unknown below another monitor', () => {
    expect(() => requireOf(2, { monitor_id: 1, enabled: true })).toThrow('monitor target not found');
    expect(() => requireOf(1, { monitor_id: 1, enabled: true })).not.toThrow();
  });

  it('changes when it is switched to the other state only', () => {
    expect(switchTarget({ monitor_id: 1, enabled: true }, true)).toEqual({});
    expect(switchTarget({ monitor_id: 1, enabled: true }, false)).toMatchObject({
      set: { enabled: false },
      events: [{ event: 'monitor_target.updated' }],
      action: 'disable',
    });
  });

  it('changes with an update that has fields', () => {
    expect(updateTarget({})).toEqual({});
    expect(updateTarget({ sample_rate: 5 })).toMatchObject({ set: { sample_rate: 5 } });
  });
});
