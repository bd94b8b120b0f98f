export { DeliveryRow } from './deliveries/delivery.entity.js';
export { WebhookSeal } from './webhook-secrets.js';
export { OperatorEgressAllowList } from './webhook-targets.js';
export { WebhookRow } from './webhook.entity.js';
export { WebhooksModule } from './webhooks.module.js';
