import { ApiKeyRow, FormerPepperRow } from './api-keys/index.js';
import { AuditEntryRow } from './audit/index.js';
import { DeliveryRow, WebhookRow } from './webhooks/index.js';
import { PortalSessionRow } from './portal-sessions/index.js';
import { CompanyRow } from './companies/index.js';

export const ENTITIES = [
  CompanyRow,
  ApiKeyRow,
  FormerPepperRow,
  AuditEntryRow,
  WebhookRow,
  DeliveryRow,
  PortalSessionRow,
];
