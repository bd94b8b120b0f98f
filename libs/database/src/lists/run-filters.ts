import { likeTextInJson } from '../like-text.js';
import { type Filter, filtersOf, type View } from '../view.js';

/**
 * The conditions of a list of tasks or runs. The version `latest` is the condition `latest` of the view: a comparison with
 * a version is found by an index then. Text is searched as it is inside of JSON.
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
