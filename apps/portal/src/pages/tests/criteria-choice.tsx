import { Link } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { Loaded } from '../../parts/loaded.js';
import { METHODS } from '../../rules/criteria.js';

/** By default the criteria of the set, else equality with the expected answer. */
export function CriteriaChoice({ chosen, choose }: { chosen: readonly number[]; choose: (ids: number[]) => void }) {
  const { api } = usePortal();
  return (
    <Loaded
      name={['criteria', 'enabled']}
      load={(signal) => api.evaluationCriteria.list({ enabled: true, limit: 100 }, { signal }).all()}
    >
      {(criteria) => (
        <fieldset class="stack tight">
          <legend class="hint">Judged by</legend>
          {criteria.length === 0 && (
            <p class="soft">
              Whether the answer equals what is expected. <Link href="/criteria">Criteria</Link> say it otherwise.
            </p>
          )}
          {criteria.map(({ id, name, method }) => (
            <label class="check-line" key={id}>
              <input
                type="checkbox"
                checked={chosen.includes(id)}
                onChange={({ currentTarget: { checked } }) =>
                  choose(checked ? [...chosen, id] : chosen.filter((each) => each !== id))
                }
              />
              <span>
                {name} <span class="soft">{METHODS[method]}</span>
              </span>
            </label>
          ))}
        </fieldset>
      )}
    </Loaded>
  );
}
