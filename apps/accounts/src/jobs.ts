import { job } from '@signalbox/platform';

export const accountJobs = {
  deliverWebhook: job('webhook_delivery', { deliveryId: 'int' }),
};
