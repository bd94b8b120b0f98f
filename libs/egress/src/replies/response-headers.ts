/** Response headers as one string per name; repeated ones are joined as HTTP allows. */
export function responseHeaders(raw: Record<string, string | string[] | undefined>): Record<string, string> {
  const entries = Object.entries(raw).filter((entry): entry is [string, string | string[]] => entry[1] !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [name, joined(value)]));
}

/** The value of a header that may have been sent several times. */
export const joined = (value: string | string[]): string => (Array.isArray(value) ? value.join(', ') : value);
