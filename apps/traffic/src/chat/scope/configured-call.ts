import { type CompletionCall, CONFIG_DEFAULTS, invalid } from '@signalbox/contracts';
import { type Overrides, unmetNeeds } from '../../config/index.js';

export interface ConfiguredCall {
  call: CompletionCall;
  limitMs: number;
}

const SAME_NAME = [
  'model',
  'temperature',
  'top_p',
  'max_tokens',
  'n',
  'stop',
  'presence_penalty',
  'frequency_penalty',
  'logprobs',
  'response_format',
  'reasoning_effort',
  'evaluation_enabled',
  'apply_corrections',
  'safe_mode',
  'fallback_config',
] as const satisfies readonly (keyof Overrides & keyof CompletionCall)[];

const OWN = ['evaluation_enabled', 'apply_corrections', 'safe_mode'] as const;
const SYSTEM_ROLES = ['system', 'developer'];

/** Applies the configuration of the scope (docs/api/traffic.md); built-in defaults are left to the provider. */
export function configured(call: CompletionCall, config: Overrides): ConfiguredCall {
  requireOwnNeeds(call, config);
  const { system_prompt: prompt, metadata, timeout_ms: limitMs = CONFIG_DEFAULTS.timeout_ms } = config;
  const added: Record<string, unknown> = {};
  for (const name of SAME_NAME) if (call[name] == null && config[name] !== undefined) added[name] = config[name];
  // Both names set the same limit.
  if (call.max_completion_tokens != null) delete added.max_tokens;
  if (prompt !== undefined && !call.messages.some(({ role }) => SYSTEM_ROLES.includes(role)))
    added.messages = [{ role: 'system', content: prompt }, ...call.messages];
  if (metadata) added.metadata = { ...metadata, ...call.metadata };
  return { call: Object.keys(added).length > 0 ? { ...call, ...added } : call, limitMs };
}

/** 400 for a call whose own parameters contradict the configuration; inherited contradictions are ignored. */
function requireOwnNeeds(call: CompletionCall, config: Overrides): void {
  const asked: Partial<Overrides> = {};
  for (const name of OWN) if (call[name] != null) asked[name] = call[name];
  const details = unmetNeeds({ ...config, ...asked }).filter(({ field }) =>
    OWN.some((own) => own === field && asked[own]),
  );
  if (details.length > 0) throw invalid(details, 'the call contradicts its configuration');
}
