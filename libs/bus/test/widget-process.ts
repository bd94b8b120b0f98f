import type { TestServers } from '@signalbox/testing';
import { startWidgets } from './widgets.js';

// A further process of the service of widgets: it reports `ready` and serves until it is killed.
process.once('message', (nats: TestServers['nats']) => {
  void startWidgets({ nats } as TestServers).then(() => process.send?.('ready'));
});
