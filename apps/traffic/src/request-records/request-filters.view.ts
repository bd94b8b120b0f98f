import type { InputOf, requests } from '@signalbox/contracts';
import { type Filter, filtersOf, likeTextInJson } from '@signalbox/database';
import { REQUEST } from './requests.sql.js';

export type RequestFilters = Partial<InputOf<typeof requests.endpoints.listRequests>> & {
  except?: readonly string[];
  in_chat?: boolean;
};

const unlessEmpty = <T>(list: readonly T[] | undefined): readonly T[] | undefined =>
  list && list.length > 0 ? list : undefined;

/** Of longer spans some days have statistics, by which Postgres finds the few requests of a rare tag. */
export const SHORT_MS = 2 * 86_400_000;

const isShort = ({ start_date = 0, end_date = Date.now() }: RequestFilters): boolean =>
  end_date - start_date <= SHORT_MS;

/** Described as Filter in docs/api/README.md. */
export function conditionsOf({
  text,
  tag_ids,
  except,
  is_corrected,
  status,
  evaluation_status,
  ...input
}: RequestFilters): Filter[] {
  // The forms of the conditions for which there are indexes.
  const rare = {
    ...(is_corrected ? { corrected: true } : { is_corrected }),
    ...(status === 'FAILED' ? { failed: true } : { status }),
    ...(evaluation_status === 'FAULT' ? { fault: true } : { evaluation_status }),
  };
  const tags = { [isShort(input) ? 'tagged' : 'tag_ids']: unlessEmpty(tag_ids) };
  const given = { ...input, ...rare, ...tags, except: unlessEmpty(except) };
  return filtersOf(REQUEST, { ...given, text: text && likeTextInJson(text) }).filter(({ value }) => value !== '');
}
