import { consumption, SERVICES, trafficEvents } from '@signalbox/contracts';
import { consumptionFault } from './service-permissions.js';

describe('the consumers of services', () => {
  it('are those that their services declare, of events that another one publishes', () => {
    for (const { name, consumes } of SERVICES)
      for (const each of consumes) expect(consumptionFault(name, each)).toBeNull();
    const deleted = consumption(trafficEvents, 'application.deleted', 'agents-others');
    expect(consumptionFault('agents', deleted)).toBe(
      'service agents does not declare the consumer agents-others of events.*.application.deleted',
    );
  });
});
