import type { AlertMetric, AlertRule } from '@signalbox/contracts';
import { acknowledgeAlert, type AlertMeasure, isMet, resolveAlert, valueOf } from './alert.js';

const rule = (metric: AlertMetric, threshold: number, min_runs = 1): AlertRule => ({
  metric,
  threshold,
  min_runs,
  window_ms: 60_000,
});
const runs = (change: Partial<AlertMeasure>): AlertMeasure => ({
  pass: 0,
  warning: 0,
  fault: 0,
  error: 0,
  consecutive: 0,
  ...change,
});

describe('an alert rule', () => {
  it.each([
    ['no runs', rule('fault_rate', 0), runs({}), null, false],
    ['errors alone have no fault rate', rule('fault_rate', 0.1), runs({ error: 9 }), null, false],
    ['half of the runs', rule('fault_rate', 0.5), runs({ pass: 1, fault: 1 }), 0.5, true],
    ['errors count for no fault rate', rule('fault_rate', 0.5), runs({ pass: 1, fault: 1, error: 98 }), 0.5, true],
    ['warnings are judged runs', rule('fault_rate', 0.5), runs({ warning: 2, fault: 1 }), 1 / 3, false],
    ['warnings count towards enough runs', rule('fault_rate', 0.2, 3), runs({ warning: 2, fault: 1 }), 1 / 3, true],
    ['too few runs', rule('fault_rate', 0.5, 3), runs({ pass: 1, fault: 1, error: 8 }), 0.5, false],
    ['errors among all runs', rule('error_rate', 0.25), runs({ pass: 3, error: 1 }), 0.25, true],
    ['errors are runs of the error rate', rule('error_rate', 0.5, 4), runs({ pass: 1, error: 3 }), 0.75, true],
    ['faults in a row', rule('consecutive_faults', 3), runs({ fault: 3, consecutive: 3 }), 3, true],
    ['too few in a row', rule('consecutive_faults', 3), runs({ fault: 9, pass: 1, consecutive: 2 }), 2, false],
    ['a threshold of zero without faults', rule('fault_rate', 0), runs({ pass: 5 }), 0, false],
  ] as const)('%s', (_name, given, measure, value, met) => {
    expect(valueOf(given, measure)).toBe(value);
    expect(isMet(given, measure)).toBe(met);
  });
});

describe('an alert', () => {
  it('is acknowledged while it is open', () => {
    expect(acknowledgeAlert({ status: 'open' }, 5)).toMatchObject({
      set: { status: 'acknowledged', acknowledged_at: 5 },
    });
    expect(acknowledgeAlert({ status: 'acknowledged' }, 5)).toEqual({});
    expect(() => acknowledgeAlert({ status: 'resolved' }, 5)).toThrow('the alert is resolved, not open');
  });

  it.each(['open', 'acknowledged'] as const)('is resolved when it is %s', (status) => {
    expect(resolveAlert({ status }, 7)).toMatchObject({ set: { status: 'resolved', resolved_at: 7 } });
    expect(resolveAlert({ status: 'resolved' }, 7)).toEqual({});
  });
});
