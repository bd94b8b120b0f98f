import type { chatSessions, InputOf } from '@signalbox/contracts';
import { type Filter, filtersOf, likeTextInJson } from '@signalbox/database';
import { SESSION } from './session.sql.js';

type Search = InputOf<typeof chatSessions.endpoints.searchSessions>;

export const sessionFiltersOf = ({ metadata, text, ...input }: Partial<Search>): Filter[] =>
  filtersOf(SESSION, {
    ...input,
    metadata: metadata && JSON.stringify(metadata),
    text: text ? likeTextInJson(text) : undefined,
  });
