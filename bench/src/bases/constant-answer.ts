import { BusClient, type WireReply } from '@signalbox/bus';
import { actions, type Endpoint } from '@signalbox/contracts';

// Loaded into the gateway for P4: reads of actions get their reply here instead of over the bus, all other calls are
// unchanged. No route of the product that succeeds is without a bus call.

const reply: WireReply = {
  body: Buffer.from(`{"constant":true,"text":"${'What an answer of usual length description. '.repeat(8)}"}`),
};

const forward = BusClient.prototype.forward;

BusClient.prototype.forward = function (endpoint: Endpoint, ...more): Promise<WireReply> {
  return endpoint === actions.endpoints.getAction ? Promise.resolve(reply) : forward.call(this, endpoint, ...more);
};
