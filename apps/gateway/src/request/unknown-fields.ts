import { type Contract, type Endpoint, fieldsOf, type UnknownField } from '@signalbox/contracts';

const fieldNames = ({ output }: Endpoint): Set<string> => new Set('kind' in output ? [] : fieldsOf(output).keys());

/** The endpoint that creates what this one changes. */
function creating({ endpoints }: Contract, { path, output }: Endpoint): Endpoint | undefined {
  const parent = path?.replace(/\/\{\w+\}$/, '');
  return Object.values(endpoints).find(
    (other) => other.method === 'POST' && other.path === parent && other.output === output,
  );
}

/**
 * The error for a field of a body that the input lacks, although the resource has it: it is settable at creation only,
 * or never.
 */
export function unknownFieldOf(endpoint: Endpoint, contract: Contract): UnknownField {
  const shown = fieldNames(endpoint);
  const create = endpoint.method === 'POST' ? undefined : creating(contract, endpoint);
  const settable = new Set(create ? fieldsOf(create.input).keys() : []);
  return (name) => (settable.has(name) ? 'cannot be changed' : shown.has(name) ? 'is read-only' : undefined);
}
