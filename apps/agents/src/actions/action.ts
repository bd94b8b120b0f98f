import {
  type AgentAction,
  type ApiActionConfig,
  invalidField,
  parseActionConfig,
  type ResponseFormat,
  type WebhookActionConfig,
  emits,
} from '@signalbox/contracts';
import { checkHttpUrl } from '../drafts/index.js';

export type ActionState = Pick<
  AgentAction,
  'action_type' | 'action_config' | 'enabled' | 'is_default' | 'invocation_mode'
>;

export type ActionChange = Partial<Omit<AgentAction, 'id' | 'agent_id' | 'date_created' | 'status'>>;

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/** Arguments may fill path and query, never scheme, host or port; a relative endpoint stays on its base. */
function checkEndpoint(endpoint: string): void {
  const field = 'action_config.endpoint';
  if (/^[\\/]{2}/.test(endpoint)) throw invalidField(field, 'must not start with two slashes: it would leave its base');
  if (!SCHEME.test(endpoint)) return;
  checkHttpUrl(field, endpoint);
  const authority = /^[^/]*\/\/([^/?#]*)/.exec(endpoint)?.[1] ?? '';
  if (/[{}]/.test(authority)) throw invalidField(field, 'must not take its host or port from arguments');
}

function checkCall(config: ApiActionConfig): void {
  checkEndpoint(config.endpoint);
  if (config.base_url != null) {
    checkHttpUrl('action_config.base_url', config.base_url);
    if (/[{}]/.test(config.base_url)) throw invalidField('action_config.base_url', 'must not contain arguments');
  }
}

/**
 * The config as it is stored, with defaults; 400 naming each field that does not fit the type or the action. An action
 * may be created without a config; it then fails when it runs.
 */
export function configOf({ action_type, action_config, invocation_mode }: Omit<ActionState, 'enabled' | 'is_default'>) {
  if (action_config === null) return null;
  const config = parseActionConfig(action_type, action_config);
  if (action_type === 'api' || action_type === 'webhook') checkCall(config as ApiActionConfig);
  const waits = action_type === 'webhook' && (config as WebhookActionConfig).mode === 'callback';
  if (waits && invocation_mode === 'background')
    throw invalidField('invocation_mode', 'must be foreground for a webhook that waits for its callback');
  return { ...config } as Record<string, unknown>;
}

function checkDefault({ is_default, invocation_mode }: Pick<ActionState, 'is_default' | 'invocation_mode'>): void {
  if (is_default && invocation_mode === 'background')
    throw invalidField('is_default', 'must be false for a background action');
}

export function newAction<
  Action extends Omit<ActionState, 'action_config'> & { action_config?: ActionState['action_config'] },
>(action: Action) {
  checkDefault(action);
  return { ...action, action_config: configOf({ ...action, action_config: action.action_config ?? null }) };
}

export function updateAction(action: ActionState, change: ActionChange) {
  if (Object.keys(change).length === 0) return {};
  const after = { ...action, ...change };
  checkDefault(after);
  const validates = (['action_type', 'action_config', 'invocation_mode'] as const).some((name) => name in change);
  const turned = after.enabled !== action.enabled;
  return {
    set: { ...change, ...(validates ? { action_config: configOf(after) } : {}) },
    events: [emits('agent_action.updated'), ...(turned ? [switched(after.enabled)] : [])],
  };
}

const switched = (enabled: boolean) => emits(enabled ? 'agent_action.enabled' : 'agent_action.disabled');

export function switchAction(action: Pick<ActionState, 'enabled'>, enabled: boolean) {
  if (action.enabled === enabled) return {};
  return { set: { enabled }, events: [switched(enabled)], action: enabled ? 'enable' : 'disable' };
}

export const FORMAT = 'action_config.response_format';

export const formatOf = (config: Record<string, unknown> | null | undefined): ResponseFormat | null | undefined =>
  config?.['response_format'] as ResponseFormat | null | undefined;
