import { ApiKeyRow } from './api-keys/api-key.entity.js';
import { AuditEntryRow } from './audit/audit-entry.entity.js';
import { DeliveryRow } from './deliveries/delivery.entity.js';
import { PortalSessionRow } from './portal-sessions/portal-session.entity.js';
import { WebhookRow } from './webhooks/webhook.entity.js';
import { CompanyRow } from './companies/company.entity.js';

/** The entities of the tables of accounts. */
export const ENTITIES = [CompanyRow, ApiKeyRow, AuditEntryRow, WebhookRow, DeliveryRow, PortalSessionRow];
