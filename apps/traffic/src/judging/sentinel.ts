import {
  type DirectiveChange,
  emits,
  type InputOf,
  invalidField,
  type OnOff,
  type Sentinel,
  type SentinelDirective,
  type sentinels,
} from '@signalbox/contracts';

type Body = InputOf<typeof sentinels.endpoints.createSentinel>;
type Change = Omit<InputOf<typeof sentinels.endpoints.updateSentinel>, 'sentinel_id'>;

export type AppliedSentinel = Pick<
  Sentinel,
  'id' | 'sentinel_name' | 'severity' | 'intent_group_id' | 'sentinel_directive' | 'meta'
>;

type SentinelState = Pick<Sentinel, 'sentinel_directive' | 'state'>;

export interface SentinelSettings {
  model: string | null;
  temperature: number;
  /** Percent of the requests that are judged. */
  sampleRate: number;
}

const isNumberIn = (value: unknown, min: number, max: number): value is number =>
  typeof value === 'number' && value >= min && value <= max;

export function requireMeta({ model, temperature, sample_rate }: Record<string, unknown>): void {
  if (model != null && (typeof model !== 'string' || model.length === 0 || model.length > 200))
    throw invalidField('meta.model', 'must be the name of a model');
  if (temperature != null && !isNumberIn(temperature, 0, 2))
    throw invalidField('meta.temperature', 'must be a number from 0 to 2');
  if (sample_rate != null && !(isNumberIn(sample_rate, 0, 100) && Number.isInteger(sample_rate)))
    throw invalidField('meta.sample_rate', 'must be an integer from 0 to 100');
}

export function settingsOf({ model, temperature, sample_rate }: Record<string, unknown>): SentinelSettings {
  return {
    model: typeof model === 'string' ? model : null,
    temperature: typeof temperature === 'number' ? temperature : 0,
    sampleRate: typeof sample_rate === 'number' ? sample_rate : 100,
  };
}

export const patternsOf = ({ qualification }: Partial<SentinelDirective>): string[] =>
  qualification?.type === 'STATIC' ? [qualification.instruction] : [];

export function newSentinel(body: Body): Body {
  requireMeta(body.meta);
  return body;
}

/** A directive is merged key by key. */
export function updateSentinel({ sentinel_directive: before }: SentinelState, change: Change) {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  if (given.length === 0) return {};
  const { sentinel_directive, ...plain } = Object.fromEntries(given) as Change;
  if (plain.meta) requireMeta(plain.meta);
  const merged = sentinel_directive ? { sentinel_directive: mergedDirective(before, sentinel_directive) } : {};
  return { set: { ...plain, ...merged }, events: [emits('sentinel.updated')] };
}

function mergedDirective(before: SentinelDirective, change: DirectiveChange): SentinelDirective {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  return { ...before, ...(Object.fromEntries(given) as DirectiveChange) };
}

export function switchSentinel({ state: before }: Pick<SentinelState, 'state'>, state: OnOff) {
  if (before === state) return {};
  const enabled = state === 'ENABLED';
  return {
    set: { state },
    events: [emits(enabled ? 'sentinel.enabled' : 'sentinel.disabled')],
    action: enabled ? 'enable' : 'disable',
  };
}
