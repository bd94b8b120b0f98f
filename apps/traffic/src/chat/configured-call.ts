import { type CompletionCall, CONFIG_DEFAULTS, invalid } from '@signalbox/contracts';
import { type Overrides, unmetNeeds } from '../config/config.js';

/** A call with everything its place says of it. */
export interface ConfiguredCall {
  call: CompletionCall;
  limitMs: number;
}

/** What a call says for itself wins over its place, field by field. */
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

const SYSTEM_ROLES = ['system', 'developer'];

/** A call under the configuration of its place (api.md 2.1); the built-in defaults are left to the provider. */
export function configured(call: CompletionCall, config: Overrides): ConfiguredCall {
  requireOwnNeeds(call, config);
  const { system_prompt: prompt, metadata, timeout_ms: limitMs = CONFIG_DEFAULTS.timeout_ms } = config;
  const missing = SAME_NAME.filter((name) => call[name] == null && config[name] !== undefined);
  const added = Object.fromEntries(missing.map((name) => [name, config[name]]));
  // Two names of one limit.
  if (call.max_completion_tokens != null) delete added.max_tokens;
  const prompted = prompt !== undefined && !call.messages.some(({ role }) => SYSTEM_ROLES.includes(role));
  return {
    call: {
      ...call,
      ...added,
      ...(prompted ? { messages: [{ role: 'system', content: prompt }, ...call.messages] } : {}),
      ...(metadata ? { metadata: { ...metadata, ...call.metadata } } : {}),
    },
    limitMs,
  };
}

/** Chosen: a call that asks for what its place makes impossible is refused; what it merely inherits is not its fault. */
function requireOwnNeeds(call: CompletionCall, config: Overrides): void {
  const own = ['evaluation_enabled', 'apply_corrections', 'safe_mode'] as const;
  const asked = Object.fromEntries(own.flatMap((name) => (call[name] == null ? [] : [[name, call[name]]])));
  const details = unmetNeeds({ ...config, ...asked }).filter(({ field }) => asked[field] === true);
  if (details.length > 0) throw invalid(details, 'the call contradicts its configuration');
}
