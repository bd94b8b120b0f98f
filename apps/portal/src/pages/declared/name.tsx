import { useNames } from '../../api/names.js';
import type { Named } from '../../rules/filters.js';

/** The name of something by its id. */
export function Name({ of, id }: { of: Named; id: number }) {
  return <>{useNames(of).get(id) ?? id}</>;
}
