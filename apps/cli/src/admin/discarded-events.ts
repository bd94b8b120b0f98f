import { busAddress } from '../launcher/bus-address.js';
import { Operator } from '../operator/operator.js';
import { SERVICES, serviceOf } from './dead-letters.js';
import type { Command } from '../usage.js';

/** Runs `count` for the services that have something to count. */
const eachService = (count: (operator: Operator, service: string) => Promise<number>): Command => ({
  texts: ['service'],
  run: async (options, settings) => {
    const services = options.find('service') === null ? SERVICES : [serviceOf(options)];
    return Operator.during(await busAddress(settings), async (operator) => {
      const found: { service: string; messages: number }[] = [];
      for (const service of services) {
        const messages = await count(operator, service);
        if (messages > 0) found.push({ service, messages });
      }
      return found;
    });
  },
});

/** Commands for the messages that the stream of events has discarded. */
export const DISCARDED_EVENT_COMMANDS: Record<`discarded-events ${'list' | 'resend'}`, Command> = {
  'discarded-events list': eachService((operator, service) => operator.discardedEvents(service)),
  'discarded-events resend': eachService((operator, service) => operator.resendDiscardedEvents(service)),
};
