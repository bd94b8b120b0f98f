import { Module } from '@nestjs/common';
import { CompaniesModule } from '../companies/index.js';
import { Attempts } from './deliveries/attempts.repository.js';
import { DeliveryHandlers } from './deliveries/deliveries.handlers.js';
import { Deliveries } from './deliveries/deliveries.repository.js';
import { DeliverySender } from './deliveries/delivery-sender.js';
import { DeliveryWorker } from './deliveries/delivery-worker.js';
import { WebhookTargets } from './webhook-targets.js';
import { WebhookHandlers } from './webhooks.handlers.js';
import { Webhooks } from './webhooks.repository.js';

@Module({
  imports: [CompaniesModule],
  controllers: [DeliveryHandlers, WebhookHandlers],
  providers: [Attempts, Deliveries, DeliverySender, DeliveryWorker, Webhooks, WebhookTargets],
})
export class WebhooksModule {}
