import { likeTextInJson } from '../like-text.js';
import { type Filter, filtersOf, type View } from '../view.js';

/**
 * The conditions of a list of tasks or runs. `latest` is a condition of its own, so that a comparison with a version
 * can use an index. The text is escaped as inside JSON.
 */
export function runFiltersOf(
  view: Pick<View, 'filters'>,
  { version, text, ...input }: { version?: string | undefined; text?: string | undefined },
): Filter[] {
  return filtersOf(view, {
    ...input,
    ...(version === 'latest' ? { latest: null } : { version }),
    text: text === undefined ? undefined : likeTextInJson(text),
  });
}
