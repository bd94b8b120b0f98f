/** Unambiguous as plain YAML; everything else is quoted as JSON, which YAML contains. */
const PLAIN = /^[A-Za-z][\w./-]*( [A-Za-z][\w./-]*)*$/;
const NOT_TEXT = /^(true|false|null|yes|no|on|off|y|n|inf|nan)$/i;

const scalar = (value: unknown): string =>
  typeof value === 'string' && PLAIN.test(value) && !NOT_TEXT.test(value) ? value : JSON.stringify(value ?? null);

const isNested = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0;

function linesOf(value: unknown): string[] {
  if (!isNested(value)) return [scalar(value)];
  if (Array.isArray(value))
    return value.flatMap((item) => {
      const [first = '', ...rest] = linesOf(item);
      return [`- ${first}`, ...rest.map((line) => `  ${line}`)];
    });
  return Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .flatMap(([name, item]) =>
      isNested(item)
        ? [`${scalar(name)}:`, ...linesOf(item).map((line) => `  ${line}`)]
        : [`${scalar(name)}: ${scalar(item)}`],
    );
}

export const yaml = (value: unknown): string => linesOf(value).join('\n');
