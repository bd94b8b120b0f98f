import { type Contract, type Endpoint, fieldsOf, type UnknownField } from '@signalbox/contracts';

const fieldNames = ({ output }: Endpoint): Set<string> => new Set('kind' in output ? [] : fieldsOf(output).keys());

function creating({ endpoints }: Contract, { path, output }: Endpoint): Endpoint | undefined {
  const parent = path?.replace(/\/\{\w+\}$/, '');
  return Object.values(endpoints).find(
    (other) => other.method === 'POST' && other.path === parent && other.output === output,
  );
}

/** The message for a field of the resource that can be set at creation only, or never. */
export function unknownFieldOf(endpoint: Endpoint, contract: Contract): UnknownField {
  const shown = fieldNames(endpoint);
  const create = endpoint.method === 'POST' ? undefined : creating(contract, endpoint);
  const settable = new Set(create ? fieldsOf(create.input).keys() : []);
  return (name) => (settable.has(name) ? 'cannot be changed' : shown.has(name) ? 'is read-only' : undefined);
}
