const MAX_PATHS = 500;
const MAX_DEPTH = 10;

/** Paths of values other than objects and lists, in the order of the payload; at most `MAX_PATHS`. */
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
