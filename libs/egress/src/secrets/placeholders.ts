/** The only syntax by which stored configuration refers to a secret. */
export const PLACEHOLDER = /\{\{\s*secrets\.([A-Za-z_][A-Za-z0-9_]{0,63})\s*\}\}/g;

export interface SecretPlaceholder {
  name: string;
  path: string;
}

export function hasPlaceholder(text: string): boolean {
  return text.search(PLACEHOLDER) >= 0;
}

/** Distinct names anywhere in a JSON value, keys included, in order of appearance. */
export function secretNamesIn(json: unknown): string[] {
  return [...new Set(secretPlaceholdersIn(json).map(({ name }) => name))];
}

export function secretPlaceholdersIn(json: unknown): SecretPlaceholder[] {
  const found: SecretPlaceholder[] = [];
  // An explicit stack: hostile JSON may be nested deeper than the call stack allows.
  const open: { value: unknown; path: string }[] = [{ value: json, path: '' }];
  for (let next = open.pop(); next; next = open.pop()) {
    if (typeof next.value === 'string') collect(next.value, next.path, found);
    else if (typeof next.value === 'object' && next.value !== null)
      open.push(...childrenOf(next.value, next.path, found));
  }
  return found;
}

function childrenOf(value: object, path: string, found: SecretPlaceholder[]) {
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => ({ value: item, path: `${path}[${index}]` })).reverse();
  }
  const children = Object.entries(value).map(([key, item]) => ({
    key,
    value: item,
    path: path ? `${path}.${key}` : key,
  }));
  for (const child of children) collect(child.key, child.path, found);
  return children.reverse();
}

function collect(text: string, path: string, found: SecretPlaceholder[]): void {
  for (const match of text.matchAll(PLACEHOLDER)) found.push({ name: match[1]!, path });
}
