const MAX_NODES = 10_000;

type Node = Record<string, unknown>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** What a local reference names, undefined when that is nothing. */
function referred(schema: unknown, ref: string): unknown {
  return ref
    .slice(2)
    .split('/')
    .map((step) => step.replace(/~1/g, '/').replace(/~0/g, '~'))
    .reduce<unknown>((at, step) => (isNode(at) && Object.hasOwn(at, step) ? at[step] : undefined), schema);
}

/**
 * What is wrong with the size of a JSON Schema, or null. References count as often as they are made: definitions that
 * each refer twice to the next are few to read and endless to check. One that leads back to itself counts once.
 */
export function schemaSizeProblem(schema: object): string | null {
  const counted = new Map<Node, number>();
  const sizeOf = (node: unknown): number => {
    if (!isNode(node)) return 0;
    const known = counted.get(node);
    if (known !== undefined) return known;
    counted.set(node, 1);
    const { $ref } = node;
    const target = typeof $ref === 'string' && $ref.startsWith('#/') ? sizeOf(referred(schema, $ref)) : 0;
    const size = Object.values(node).reduce<number>((sum, child) => sum + sizeOf(child), 1 + target);
    counted.set(node, size);
    return size;
  };
  return sizeOf(schema) > MAX_NODES ? `it has more than ${MAX_NODES} parts when its references are followed` : null;
}
