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

/** Fields that are absent are inherited. */
export type Overrides = { [F in Field]?: NonNullable<EffectiveConfig[F]> };

export interface Layer {
  from: ConfigSource;
  config: Overrides;
}

const FIELDS = Object.keys(CONFIG_DEFAULTS) as Field[];

export function overridesOf(given: Config): Overrides {
  return Object.fromEntries(FIELDS.filter((field) => given[field] != null).map((field) => [field, given[field]]));
}

/** Given fields are replaced as a whole, null drops an override, other fields stay. */
export function changed(stored: Overrides, change: Config): { config: Overrides; changed: Field[] } {
  const named = FIELDS.filter((field) => change[field] !== undefined);
  const config = overridesOf({ ...stored, ...Object.fromEntries(named.map((field) => [field, change[field]])) });
  return { config, changed: named.filter((field) => !sameJson(stored[field], config[field])).sort() };
}

export const dropped = (stored: Overrides): { config: Overrides; changed: Field[] } =>
  changed(stored, Object.fromEntries(FIELDS.map((field) => [field, null])));

/** Without built-in defaults; the first layer that sets a field takes precedence. */
export function inherited(layers: readonly Layer[]): Overrides {
  return Object.assign({}, ...layers.map(({ config }) => config).reverse()) as Overrides;
}

/** `layers` begin with that of the resource itself. */
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

/** Fields that are set without a field that they require (docs/api/traffic.md). */
export function unmetNeeds(config: Overrides): Detail[] {
  const effective = { ...CONFIG_DEFAULTS, ...config };
  return NEEDS.filter(([field, need]) => effective[field] === true && effective[need] !== true).map(
    ([field, need]) => ({ field, message: `needs ${need}` }),
  );
}

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
