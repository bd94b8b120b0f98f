import { defineContract } from '../../contract.js';
import { page } from '../../contract/outputs.js';
import { oneOfType } from '../../fields/field-types.js';
import { Epoch, Id, List, Nullable, Obj, Optional, Str } from '../../fields/fields.js';
import { TimedListQuery } from '../../shapes.js';

/** The actions in audit entries (docs/api/events.md). */
export const AUDIT_ACTIONS = [
  'create',
  'update',
  'delete',
  'publish',
  'release_move',
  'gate_override',
  'enable',
  'disable',
  'revoke',
  'rotate',
  'secret_rotate',
  'import',
  'reset',
  'score',
] as const;

/** The resource types in audit entries: singular family names (docs/api/events.md). */
export const AUDITED_TYPES = [
  'application',
  'intent',
  'intent_group',
  'agent',
  'agent_action',
  'agent_release',
  'workflow',
  'workflow_release',
  'monitor',
  'monitor_target',
  'monitor_release',
  'sentinel',
  'session',
  'request',
  'dataset',
  'composition',
  'finetune_run',
  'test_set',
  'test_set_item',
  'test_run',
  'evaluation_criteria',
  'evaluation_run',
  'model',
  'model_provider',
  'tag',
  'tag_rule',
  'tag_run',
  'api_key',
  'portal_session',
  'webhook',
  'company',
] as const;

/** One successful write. */
export class AuditEntry {
  @Id() id!: number;
  @Id() @Nullable() actor_key_id!: number | null;
  @Str() action!: string;
  @Str() resource_type!: string;
  @Str() resource_id!: string;
  @Obj() @Nullable() before!: Record<string, unknown> | null;
  @Obj() @Nullable() after!: Record<string, unknown> | null;
  @Str() @Nullable() reason!: string | null;
  @Str() request_id!: string;
  @Epoch() date_created!: number;
}

class ListAudit extends TimedListQuery {
  @List(oneOfType(AUDIT_ACTIONS), 1) @Optional() action?: (typeof AUDIT_ACTIONS)[number][];
  @List(oneOfType(AUDITED_TYPES), 1) @Optional() resource_type?: (typeof AUDITED_TYPES)[number][];
  @Str(1, 200) @Optional() resource_id?: string;
  @Id() @Optional() actor_key_id?: number;
}

/** The audit log (docs/api/events.md). */
export const auditLog = defineContract(
  { name: 'audit-log', service: 'accounts', tag: 'Audit log' },
  {
    listAuditEntries: {
      get: '/audit-log',
      summary: 'List the successful writes of the company, newest first',
      scope: 'admin',
      input: ListAudit,
      output: page(AuditEntry),
    },
  },
);
