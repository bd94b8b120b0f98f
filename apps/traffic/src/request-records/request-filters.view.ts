import type { InputOf, requests } from '@signalbox/contracts';
import { type Filter, filtersOf, likeTextInJson } from '@signalbox/database';
import { REQUEST } from './requests.sql.js';

/** What narrows requests down. */
export type RequestFilters = Partial<InputOf<typeof requests.endpoints.listRequests>> & {
  /** Requests that are left out. */
  except?: readonly string[];
  /** Whether they belong to a chat session. */
  in_chat?: boolean;
};

const unlessEmpty = <T>(list: readonly T[] | undefined): readonly T[] | undefined =>
  list && list.length > 0 ? list : undefined;

/** The conditions of a Filter (docs/api/README.md) over recorded requests. */
export function conditionsOf({ text, tag_ids, except, is_corrected, ...input }: RequestFilters): Filter[] {
  // In this form an index knows them.
  const correction = is_corrected ? { corrected: true } : { is_corrected };
  const given = { ...input, ...correction, tag_ids: unlessEmpty(tag_ids), except: unlessEmpty(except) };
  return filtersOf(REQUEST, { ...given, text: text && likeTextInJson(text) }).filter(({ value }) => value !== '');
}
