import { useState } from 'preact/hooks';
import type { BulkImport, ImportSource } from '@signalbox/sdk';
import { Link } from 'wouter-preact';
import { usePortal } from '../api/portal.js';
import { count } from '../rules/formats.js';
import { addedWords } from '../rules/added-words.js';
import { Dialog } from './dialog.js';
import { Expectations } from './expectations.js';
import { focusOf } from './focus.js';
import { Form } from './form.js';
import { TestSetChoice, useTestSetChoice } from './test-set-choice.js';

/** Limit of one call. */
const AT_ONCE = 1000;
const LISTED = 100;

type Source = Pick<ImportSource, 'source_type' | 'source_id'>;
interface Added extends BulkImport {
  name: string;
  testSetId: number;
}

export function AddToTestSet({ sources, close }: { sources: readonly Source[]; close: () => void }) {
  const { api, can } = usePortal();
  const choice = useTestSetChoice();
  const [added, setAdded] = useState<Added | null>(null);

  async function add(given: Record<string, string>): Promise<void> {
    const set = await choice.chosen(given);
    const sum: Added = { name: set.name, testSetId: set.id, created: 0, existing: 0, failed: [] };
    for (let at = 0; at < sources.length; at += AT_ONCE) {
      const part = await api.testSets.importBulk({ test_set_id: set.id, sources: sources.slice(at, at + AT_ONCE) });
      sum.created += part.created;
      sum.existing += part.existing;
      sum.failed.push(...part.failed);
    }
    setAdded(sum);
    await choice.changed();
  }

  const title = `Add ${count(sources.length)} to a test set`;
  if (added)
    return (
      <Dialog title={added.name} close={close}>
        <p role="status">{addedWords(added)}</p>
        {added.failed.length > 0 && (
          <ul class="plain-list">
            {added.failed.slice(0, LISTED).map(({ source_id, message }) => (
              <li key={source_id}>
                <code>{source_id.slice(0, 8)}</code> {message}
              </li>
            ))}
          </ul>
        )}
        <div class="bar">
          <button ref={focusOf} onClick={close}>
            Done
          </button>
          <Link class="button" href={`/test-sets/${added.testSetId}`}>
            Open the test set
          </Link>
        </div>
        {can('write') && <Expectations testSetId={added.testSetId} sources={sources} />}
      </Dialog>
    );
  return (
    <Dialog title={title} close={close}>
      <Form submit={add} action="Add">
        <TestSetChoice choice={choice} />
        <small class="hint">
          What was asked becomes the input, what was answered the expectation; a correction comes first.
        </small>
      </Form>
    </Dialog>
  );
}
