import { isDeeperThan } from '@signalbox/contracts';
import { dialectOf, DIALECTS } from './schema-dialect.js';
import { recursesInPlace, referred } from './schema-recursion.js';
import { isSchema, type Schema, subschemasOf } from './schema-keywords.js';

const MAX_BYTES = 64 * 1024;
const MAX_DEPTH = 20;
const MAX_SCHEMAS = 500;
const MAX_NODES = 10_000;
const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'];

/** Size and forbidden keywords, checked before compilation; null when there is no problem. */
export function boundsProblem(schema: object, written = JSON.stringify(schema)): string | null {
  if (Buffer.byteLength(written) > MAX_BYTES) return `it is longer than ${MAX_BYTES} bytes`;
  if (isDeeperThan(schema, MAX_DEPTH)) return `it is deeper than ${MAX_DEPTH} levels`;
  if (!isSchema(schema)) return 'it is not an object';
  if (dialectOf(schema) === null) return `its $schema names none of the drafts ${DIALECTS.join(', ')}`;
  const problem = partsProblem(schema) ?? expansionProblem(schema);
  if (problem !== null) return problem;
  return recursesInPlace(schema) ? 'its references recurse without an end: it applies itself to the same value' : null;
}

function partsProblem(schema: Schema): string | null {
  const open = [schema];
  for (let count = 1; ; count += 1) {
    const next = open.pop();
    if (!next) return null;
    if (count > MAX_SCHEMAS) return `it has more than ${MAX_SCHEMAS} schemas in it`;
    if (REFERENCES.some((name) => name in next && !String(next[name]).startsWith('#')))
      return 'it must have local references only';
    if (Object.values(next).some((value) => isSchema(value) && typeof value['$data'] === 'string'))
      return 'it must not have $data';
    open.push(...subschemasOf(next));
  }
}

/**
 * References count each time: definitions that each refer twice to the next are short, and exponential to check. A
 * recursive reference counts once.
 */
function expansionProblem(schema: Schema): string | null {
  const counted = new Map<object, number>();
  const sizeOf = (node: unknown): number => {
    if (typeof node !== 'object' || node === null) return 0;
    const known = counted.get(node);
    if (known !== undefined) return known;
    counted.set(node, 1);
    const { $ref } = node as Schema;
    const target = typeof $ref === 'string' && $ref.startsWith('#/') ? sizeOf(referred(schema, $ref)) : 0;
    const size = Object.values(node).reduce<number>((sum, child) => sum + sizeOf(child), 1 + target);
    counted.set(node, size);
    return size;
  };
  return sizeOf(schema) > MAX_NODES ? `it has more than ${MAX_NODES} parts when its references are followed` : null;
}
