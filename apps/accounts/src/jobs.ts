import { job } from '@signalbox/platform';

/** The kinds of jobs of this service, apart from those of its runs. */
export const accountJobs = {
  /** Sends a delivery of a webhook. */
  deliverWebhook: job('webhook_delivery', { deliveryId: 'int' }),
};
