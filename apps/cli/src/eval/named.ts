import type { SearchFindInput, Signalbox } from '@signalbox/sdk';
import { UsageError } from '../client/usage-error.js';

type FoundType = NonNullable<SearchFindInput['types']>[number];

const isId = (text: string): boolean => /^[1-9]\d*$/.test(text);

export async function idOf(client: Signalbox, type: FoundType, given: string): Promise<number> {
  if (isId(given)) return Number(given);
  const found = await client.search.find({ q: given, types: [type], limit: 100 });
  const ids = [...new Set(found.filter(({ name }) => name === given).map(({ id }) => Number(id)))];
  const noun = type.replaceAll('_', ' ');
  const [id] = ids;
  if (id === undefined) throw new UsageError(`there is no ${noun} with the name ${JSON.stringify(given)}`);
  if (ids.length > 1) throw new UsageError(`the name ${JSON.stringify(given)} is that of ${noun}s ${ids.join(', ')}`);
  return id;
}

export const modelOf = (given: string): number | string => (isId(given) ? Number(given) : given);
