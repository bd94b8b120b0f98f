import { likeTextInJson } from '../like-text.js';
import { type Filter, filtersOf, type View } from '../view.js';

const OPEN = ['QUEUED', 'RUNNING', 'WAITING_WEBHOOK'];

interface Selected {
  version?: string | undefined;
  text?: string | undefined;
  status?: readonly string[] | undefined;
}

/**
 * The conditions of a list of tasks or runs. `latest` and `open` are conditions of their own, so that a comparison with a
 * version, and open states alone, can use an index. The text is escaped as inside JSON.
 */
export function runFiltersOf(view: Pick<View, 'filters'>, { version, text, ...input }: Selected): Filter[] {
  return filtersOf(view, {
    ...input,
    ...(version === 'latest' ? { latest: null } : { version }),
    ...(input.status?.every((each) => OPEN.includes(each)) ? { open: null } : {}),
    text: text === undefined ? undefined : likeTextInJson(text),
  });
}
