export function responseHeaders(raw: Record<string, string | string[] | undefined>): Record<string, string> {
  const entries = Object.entries(raw).filter((entry): entry is [string, string | string[]] => entry[1] !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [name, joined(value)]));
}

export const joined = (value: string | string[]): string => (Array.isArray(value) ? value.join(', ') : value);
