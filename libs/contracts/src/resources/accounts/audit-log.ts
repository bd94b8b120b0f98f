import { defineContract } from '../../contract.js';
import { page } from '../../contract/outputs.js';
import { oneOfType } from '../../fields/field-types.js';
import { Description, Epoch, Flag, Id, List, Nullable, Obj, Optional, Str } from '../../fields/fields.js';
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
  'mcp_call',
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
  'monitor_alert',
  'monitor_check',
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
  'mcp_server',
  'portal_session',
  'webhook',
  'company',
] as const;
export type AuditedType = (typeof AUDITED_TYPES)[number];

/** One successful write, or one call of a tool. */
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
  @List(oneOfType(AUDITED_TYPES), 1) @Optional() resource_type?: AuditedType[];
  @Str(1, 200) @Optional() resource_id?: string;
  @Id() @Optional() actor_key_id?: number;
}

/** One call of a tool of the Model Context Protocol. */
export class McpCallNote {
  @Str(1, 100) @Description('The address of the server below the prefix of the API') address!: string;
  @Str(0, 200) tool!: string;
  @Str(0, 200) @Description('Name and version as the client states them') client!: string;
  @Str(1, 500) @Nullable() @Description('What the call names: an endpoint or a resource') target!: string | null;
  @Str(1, 1000) @Nullable() @Description('Why the call was refused, null for one that is carried out') refused!:
    string | null;
}
class Noted {
  @Flag() noted!: boolean;
}

/** The audit log (docs/api/events.md). */
export const auditLog = defineContract(
  { name: 'audit-log', service: 'accounts', tag: 'Audit log' },
  {
    listAuditEntries: {
      get: '/audit-log',
      summary: 'List the successful writes of the company and the calls of tools, newest first',
      scope: 'admin',
      input: ListAudit,
      output: page(AuditEntry),
    },
    noteMcpCall: {
      summary: 'Add the call of a tool to the audit log',
      input: McpCallNote,
      output: Noted,
    },
  },
);
