export {
  ACTION_FIELDS,
  type ActionDraft,
  type ActionSecrets,
  type AgentSnapshot,
  type FieldDraft,
  type FrozenMcpServer,
  type FrozenTool,
  freezeLinks,
  freezeWorkflows,
  type LinkDraft,
  type RuleDraft,
  type SnapshotParts,
  split,
  withoutPublishPins,
} from './agent-snapshot.js';
export { AgentRow } from './agent.entity.js';
export { checkAgent, checkBinding, checkHttpUrl, checkKind, hasNoDraft, switchAgent, updateAgent } from './agent.js';
export { AGENT_TAKEN, Agents } from './agents.repository.js';
export { ApplicationNameRow } from './application-name.entity.js';
export { auditedAction } from './audited-action.js';
export { DraftsModule } from './drafts.module.js';
export { Drafts } from './drafts.repository.js';
export { DRAFT_INDEXES, DRAFT_SNAPSHOT, LINKED_PARTS, secretFields } from './drafts.sql.js';
export { ACTION_VIEW } from './parts/action-view.sql.js';
export { FORM_FIELDS } from './parts/form-field.part.js';
export { LINKS } from './parts/link.part.js';
export { INCLUDED_TOOLS } from './parts/mcp-server-parts.sql.js';
export { OrderedChildren } from './parts/ordered-children.repository.js';
export { ROUTING_SQL, RULES } from './parts/rule.part.js';
export { requireSecrets, secretsOf } from './required-secrets.js';
