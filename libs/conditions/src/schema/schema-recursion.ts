import { isSchema, type Schema, subschemasOf } from './schema-keywords.js';

/** Keywords whose schemas apply to the same value. */
const IN_PLACE = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas', 'dependencies'];
const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'];
const ANCHORS = ['$anchor', '$dynamicAnchor'];

/** `base` is the schema that references start from. */
interface Located {
  schema: Schema;
  base: Schema;
}

/**
 * A schema that applies itself to the same value again could never be checked to the end. One that recurses into a part
 * of the value ends with the value.
 */
export function recursesInPlace(root: Schema): boolean {
  const bases = new Map<Schema, Schema>();
  const open: Located[] = [{ schema: root, base: root }];
  for (let next = open.pop(); next; next = open.pop()) {
    const base = isResource(next.schema) ? next.schema : next.base;
    bases.set(next.schema, base);
    for (const schema of subschemasOf(next.schema)) open.push({ schema, base });
  }
  const done = new Set<Schema>();
  const path = new Set<Schema>();
  const visit = (schema: Schema): boolean => {
    if (path.has(schema)) return true;
    if (done.has(schema)) return false;
    path.add(schema);
    const found = [...appliedIn(schema), ...referredBy(schema, bases, root)].some(visit);
    path.delete(schema);
    done.add(schema);
    return found;
  };
  return [...bases.keys()].some(visit);
}

/** In draft-07 an `$id` that begins with # is an anchor. */
const isResource = ({ $id }: Schema): boolean => typeof $id === 'string' && !$id.startsWith('#');

function appliedIn(schema: Schema): Schema[] {
  return IN_PLACE.flatMap((name) => {
    const value = schema[name];
    if (Array.isArray(value)) return (value as unknown[]).filter(isSchema);
    if (!isSchema(value)) return [];
    return name.startsWith('depend') ? Object.values(value).filter(isSchema) : [value];
  });
}

function referredBy(schema: Schema, bases: Map<Schema, Schema>, root: Schema): Schema[] {
  const base = bases.get(schema) ?? root;
  return REFERENCES.flatMap((name) => {
    const ref = schema[name];
    if (typeof ref !== 'string' || !ref.startsWith('#')) return [];
    if (ref === '#' || ref.startsWith('#/')) return [referred(base, ref)].filter(isSchema);
    const anchor = ref.slice(1);
    return [...bases.keys()].filter((each) => ANCHORS.some((at) => each[at] === anchor) || each['$id'] === ref);
  });
}

export function referred(schema: unknown, ref: string): unknown {
  if (ref === '#') return schema;
  return ref
    .slice(2)
    .split('/')
    .map((step) => unescaped(step).replace(/~1/g, '/').replace(/~0/g, '~'))
    .reduce<unknown>(
      (at, step) =>
        typeof at === 'object' && at !== null && Object.hasOwn(at, step) ? (at as Schema)[step] : undefined,
      schema,
    );
}

function unescaped(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
