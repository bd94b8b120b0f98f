import { type DraftSizes, requireWithinLimits } from './draft-limits.js';

const none: DraftSizes = { actions: 0, sub_agents: 0, routing_rules: 0, form_fields: 0, bytes: 100 };

describe('the limits of a draft', () => {
  it.each<[keyof DraftSizes, number, string]>([
    ['actions', 200, '200 actions'],
    ['sub_agents', 100, '100 sub-agents'],
    ['routing_rules', 200, '200 routing rules'],
    ['form_fields', 200, '200 form fields'],
    ['bytes', 4_194_304, '4 MiB'],
  ])('allow %s up to %i', (size, most, label) => {
    expect(() => requireWithinLimits(none, { ...none, [size]: most })).not.toThrow();
    expect(() => requireWithinLimits(none, { ...none, [size]: most + 1 })).toThrow(`at most ${label}`);
  });

  it('let a draft that exceeds one shrink but not grow', () => {
    const before = { ...none, actions: 300 };
    expect(() => requireWithinLimits(before, { ...none, actions: 299 })).not.toThrow();
    expect(() => requireWithinLimits(before, before)).not.toThrow();
    expect(() => requireWithinLimits(before, { ...none, actions: 301 })).toThrow('200 actions');
    expect(() => requireWithinLimits(null, before)).not.toThrow();
  });
});
