import type { TestRunsCreateInput } from '@signalbox/sdk';
import { usePortal } from '../../api/portal.js';
import { JsonView } from '../../parts/json-view.js';
import { Loaded } from '../../parts/loaded.js';

export type Consumer = Pick<TestRunsCreateInput, 'consumer_kind' | 'consumer_config'>;

export function AdaptedPreview({ testSetId: test_set_id, consumer }: { testSetId: number; consumer: Consumer }) {
  const { api } = usePortal();
  const load = async (signal: AbortSignal) => {
    const { data } = await api.testSets.listItems({ test_set_id, limit: 1, sort: 'position' }, { signal });
    const [first] = data;
    if (!first) return null;
    return api.testRuns.previewAdaptedInput({ test_set_item_id: first.id, ...consumer }, { signal });
  };
  return (
    <section class="stack tight" aria-label="What the first item becomes">
      <Loaded name={['adapted input', test_set_id, consumer]} load={load}>
        {(preview) =>
          preview === null ? (
            <p class="soft">The set has no items.</p>
          ) : (
            <>
              {preview.errors.map(({ field, message }) => (
                <p key={`${field} ${message}`} class="why odd">
                  {field} {message}
                </p>
              ))}
              {preview.warnings.map((warning) => (
                <p key={warning} class="why calm">
                  {warning}
                </p>
              ))}
              {preview.adapted_input !== undefined && (
                <JsonView label="What the first item becomes" value={preview.adapted_input} />
              )}
            </>
          )
        }
      </Loaded>
    </section>
  );
}
