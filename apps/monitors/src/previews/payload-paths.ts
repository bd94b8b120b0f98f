const MAX_PATHS = 500;
const MAX_DEPTH = 10;

/** The paths of the values in a payload that are no objects or lists, in its order; the first of them when there are many. */
export function pathsOf(payload: unknown): string[] {
  const paths: string[] = [];
  const walk = (value: unknown, path: string, depth: number): void => {
    if (paths.length >= MAX_PATHS) return;
    const entries = depth < MAX_DEPTH ? childrenOf(value) : [];
    if (entries.length === 0 && path !== '') paths.push(path.slice(0, 1000));
    for (const [key, child] of entries)
      walk(child, typeof key === 'number' ? `${path}[${key}]` : joined(path, key), depth + 1);
  };
  walk(payload, '', 0);
  return paths;
}

const joined = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

function childrenOf(value: unknown): [string | number, unknown][] {
  if (Array.isArray(value)) return value.map((child, index) => [index, child as unknown]);
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}
