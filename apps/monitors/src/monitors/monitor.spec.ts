import type { MonitorStatus } from '@signalbox/contracts';
import { activateMonitor, pauseMonitor, updateMonitor } from './monitor.js';

const problem = [{ field: 'runner', message: 'is required' }];

describe('the state of a monitor', () => {
  it.each([
    ['DRAFT', 'ACTIVE', 'monitor.activated'],
    ['PAUSED', 'ACTIVE', 'monitor.activated'],
    ['ACTIVE', null, null],
  ] as [MonitorStatus, MonitorStatus | null, string | null][])(
    '%s becomes %s when activated',
    (status, next, event) => {
      const decision = activateMonitor({ status }, [], 5);
      expect(decision.set?.status ?? null).toBe(next);
      expect(decision.set?.activated_at ?? null).toBe(next && 5);
      expect(decision.events?.[0]?.event ?? null).toBe(event);
    },
  );

  it.each(['DRAFT', 'PAUSED'] as const)('%s cannot be activated with an invalid draft', (status) => {
    expect(() => activateMonitor({ status }, problem, 5)).toThrow('the monitor cannot judge: runner is required');
  });

  it('stays ACTIVE whatever its draft has become', () => {
    expect(activateMonitor({ status: 'ACTIVE' }, problem, 5)).toEqual({});
  });

  it('is PAUSED from ACTIVE only', () => {
    expect(pauseMonitor({ status: 'ACTIVE' }).set?.status).toBe('PAUSED');
    expect(pauseMonitor({ status: 'PAUSED' })).toEqual({});
    expect(() => pauseMonitor({ status: 'DRAFT' })).toThrow('the monitor is DRAFT, not ACTIVE');
  });

  it('changes with an update that has fields', () => {
    expect(updateMonitor({})).toEqual({});
    expect(updateMonitor({ name: 'x' })).toMatchObject({ set: { name: 'x' }, events: [{ event: 'monitor.updated' }] });
  });
});
