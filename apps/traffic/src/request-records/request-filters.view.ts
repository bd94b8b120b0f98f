import type { InputOf, requests } from '@signalbox/contracts';
import { type Filter, filtersOf, likeTextInJson } from '@signalbox/database';
import { REQUEST } from './requests.sql.js';

export type RequestFilters = Partial<InputOf<typeof requests.endpoints.listRequests>> & {
  except?: readonly string[];
  in_chat?: boolean;
};

const unlessEmpty = <T>(list: readonly T[] | undefined): readonly T[] | undefined =>
  list && list.length > 0 ? list : undefined;

/** Described as Filter in docs/api/README.md. */
export function conditionsOf({ text, tag_ids, except, is_corrected, ...input }: RequestFilters): Filter[] {
  // The form of the condition for which there is an index.
  const correction = is_corrected ? { corrected: true } : { is_corrected };
  const given = { ...input, ...correction, tag_ids: unlessEmpty(tag_ids), except: unlessEmpty(except) };
  return filtersOf(REQUEST, { ...given, text: text && likeTextInJson(text) }).filter(({ value }) => value !== '');
}
