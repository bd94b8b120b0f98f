import { useState } from 'preact/hooks';
import type { Dataset, DatasetsAddRequestsByFilterInput, UploadedRows } from '@signalbox/sdk';
import { useQueryClient } from '@tanstack/preact-query';
import { usePortal } from '../../api/portal.js';
import type { ItemForm, SectionProps } from '../../declared/declaration.js';
import { ItemFormDialog } from '../../declared/item-form.js';
import { Empty } from '../../parts/empty.js';
import { Field, Form } from '../../parts/form.js';
import { ScopedButton } from '../../parts/scoped-button.js';
import { Table } from '../../parts/table.js';
import { count } from '../../rules/formats.js';

type FilterFields = Omit<DatasetsAddRequestsByFilterInput, 'dataset_id'>;

const FILTER_FORM: ItemForm<FilterFields> = {
  required: ['max'],
  fields: {
    max: { type: 'integer', title: 'The newest, at most', minimum: 1, maximum: 50_000, default: 1000 },
    intent_group_id: { type: 'integer', title: 'Only of the intent group' },
    application_id: { type: 'integer', title: 'Only of the application' },
    tag_ids: { type: 'array', title: 'Only with one of the tags' },
    model: { type: 'string', title: 'Only of the model' },
    text: { type: 'string', title: 'Only with the text' },
    evaluation_status: { type: 'string', title: 'Only with the verdict', enum: ['PASS', 'FAULT', 'ERROR', 'NA'] },
    is_corrected: { type: 'boolean', title: 'Only corrected ones' },
  },
  options: { intent_group_id: 'intentGroups', application_id: 'applications', tag_ids: 'tags' },
};

export function AddRows({ item: { id: dataset_id, status, intent_group_id }, changed }: SectionProps<Dataset>) {
  const { api, say } = usePortal();
  const cache = useQueryClient();
  const [asks, setAsks] = useState(false);
  const refresh = (): void => {
    changed();
    void cache.invalidateQueries({ queryKey: ['dataset rows'] });
  };
  if (status === 'ARCHIVED') return <Empty title="An archived dataset takes no rows." />;
  return (
    <div class="columns">
      <Upload datasetId={dataset_id} added={refresh} />
      <section class="card" aria-label="Recorded requests">
        <h2>Recorded requests</h2>
        <p class="soft">The newest that a filter selects are copied; a correction takes the place of the answer.</p>
        <div>
          <ScopedButton scope="write" act={() => setAsks(true)}>
            Add by a filter
          </ScopedButton>
        </div>
      </section>
      {asks && (
        <ItemFormDialog
          title="Add recorded requests"
          action="Add them"
          form={FILTER_FORM}
          given={{ max: 1000, intent_group_id }}
          submit={async ({ is_corrected, ...value }) => {
            const only = is_corrected === true ? { is_corrected } : {};
            const { added, existing } = await api.datasets.addRequestsByFilter({ dataset_id, ...value, ...only });
            say(`${count(added)} added, ${count(existing)} were there.`);
            setAsks(false);
            refresh();
          }}
          close={() => setAsks(false)}
        />
      )}
    </div>
  );
}

function Upload({ datasetId, added }: { datasetId: number; added: () => void }) {
  const { api, can } = usePortal();
  const [file, setFile] = useState<File | null>(null);
  const [result, setResult] = useState<UploadedRows | null>(null);
  async function upload(): Promise<void> {
    setResult(null);
    if (file === null) throw new Error('Choose a file first.');
    setResult(await api.datasets.uploadRows({ dataset_id: datasetId, file }));
    added();
  }
  return (
    <section class="card" aria-label="A file">
      <h2>A file</h2>
      <p class="soft">
        JSONL, one conversation a line, such as <code>{'{"messages":[…]}'}</code>, that ends with an answer; at most 100
        MB and 50,000 lines.
      </p>
      <Form
        submit={upload}
        action="Upload"
        {...(can('write') ? {} : { locked: 'Only keys with the scope write add rows.' })}
      >
        <Field label="File">
          <input
            type="file"
            accept=".jsonl,.ndjson,.json,.txt"
            onChange={({ currentTarget }) => setFile(currentTarget.files?.[0] ?? null)}
          />
        </Field>
      </Form>
      <div role="status">{result && <p>{count(result.added)} rows added.</p>}</div>
      {result !== null && result.rejected.length > 0 && (
        <Table label="Lines that were refused" columns={['Line', 'Why it was refused']}>
          {result.rejected.map(({ line, message }) => (
            <tr key={line}>
              <td>{line}</td>
              <td>{message}</td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}
