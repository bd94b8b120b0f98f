const MASK = '[secret]';
const PLACEHOLDERS_ONLY = /^(\s*(Bearer|Basic)?\s*\{\{\s*secrets\.\w+\s*\}\}\s*)+$/i;

const masked = (value: unknown): unknown => (typeof value !== 'string' || PLACEHOLDERS_ONLY.test(value) ? value : MASK);

/** For records of what was configured: texts are masked, since they may be credentials; placeholders are kept. */
export const maskLiterals = (values: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, masked(value)]));
