import {
  type Config,
  CONFIG_DEFAULTS,
  type ConfigSource,
  type ConfigView,
  type EffectiveConfig,
  type Detail,
  invalid,
  sameJson,
} from '@signalbox/contracts';

type Field = keyof EffectiveConfig;

/** The fields that can be overridden; the others are inherited. */
export type Overrides = { [F in Field]?: NonNullable<EffectiveConfig[F]> };

/** The overrides of one resource. */
export interface Layer {
  from: ConfigSource;
  config: Overrides;
}

const FIELDS = Object.keys(CONFIG_DEFAULTS) as Field[];

/** The fields that a configuration sets; null sets nothing. */
export function overridesOf(given: Config): Overrides {
  return Object.fromEntries(FIELDS.filter((field) => given[field] != null).map((field) => [field, given[field]]));
}

/** Overrides after a change: given fields are replaced as a whole, null drops an override, other fields stay. */
export function changed(stored: Overrides, change: Config): { config: Overrides; changed: Field[] } {
  const named = FIELDS.filter((field) => change[field] !== undefined);
  const config = overridesOf({ ...stored, ...Object.fromEntries(named.map((field) => [field, change[field]])) });
  return { config, changed: named.filter((field) => !sameJson(stored[field], config[field])).sort() };
}

/** Overrides after all of them were dropped. */
export const dropped = (stored: Overrides): { config: Overrides; changed: Field[] } =>
  changed(stored, Object.fromEntries(FIELDS.map((field) => [field, null])));

/** The inherited values without built-in defaults; the first layer that sets a field takes precedence. */
export function inherited(layers: readonly Layer[]): Overrides {
  return Object.assign({}, ...layers.map(({ config }) => config).reverse()) as Overrides;
}

/** The view of a configuration; its own layer comes first. */
export function viewOf(layers: readonly Layer[]): ConfigView {
  const sources = FIELDS.map((field) => {
    const layer = layers.find(({ config }) => config[field] !== undefined);
    return [field, layer?.from ?? 'default'] as const;
  });
  return {
    config: (layers[0]?.config ?? {}) as Config,
    effective_config: { ...CONFIG_DEFAULTS, ...inherited(layers) },
    inherited_from: Object.fromEntries(sources),
  };
}

const NEEDS: readonly [Field, Field][] = [
  ['apply_corrections', 'evaluation_enabled'],
  ['safe_mode', 'apply_corrections'],
];

/** The fields that are set without a field that they require (docs/api/traffic.md). */
export function unmetNeeds(config: Overrides): Detail[] {
  const effective = { ...CONFIG_DEFAULTS, ...config };
  return NEEDS.filter(([field, need]) => effective[field] === true && effective[need] !== true).map(
    ([field, need]) => ({ field, message: `needs ${need}` }),
  );
}

/** 400 for a configuration that contradicts itself. */
export function requireNeeds(layers: readonly Layer[]): void {
  const details = unmetNeeds(inherited(layers));
  if (details.length > 0) throw invalid(details, 'the configuration contradicts itself');
}

export function modelFieldsOf({ model, fallback_config: fallback }: Overrides): { field: string; model: string }[] {
  return [
    { field: 'model', model },
    { field: 'fallback_config.model', model: fallback?.model },
  ].filter((named): named is { field: string; model: string } => named.model !== undefined);
}
