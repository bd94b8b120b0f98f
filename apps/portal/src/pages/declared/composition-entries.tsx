import { useState } from 'preact/hooks';
import type { Composition, CompositionEntry } from '@signalbox/sdk';
import { usePortal } from '../../api/portal.js';
import type { ItemForm, SectionProps } from '../../declared/declaration.js';
import { ItemFormDialog } from '../../declared/item-form.js';
import { Empty } from '../../parts/empty.js';
import { Question } from '../../parts/question.js';
import { ScopedButton } from '../../parts/scoped-button.js';
import { Table } from '../../parts/table.js';
import { count } from '../../rules/formats.js';
import { Name, NamedLink } from './name.js';

const SHARE = {
  weight: {
    type: 'number',
    title: 'Share of its rows',
    description: '0.5 uses half of them, 2 uses each twice.',
    minimum: 0,
    default: 1,
  },
  max_requests: { type: 'integer', title: 'Rows at most', minimum: 1 },
};
const EDIT_FORM: ItemForm<CompositionEntry> = { required: ['weight'], fields: SHARE };
const NEW_FORM: ItemForm<CompositionEntry> = {
  required: ['dataset_id', 'weight'],
  fields: { dataset_id: { type: 'integer', title: 'Dataset' }, ...SHARE },
  options: { dataset_id: 'datasets' },
};

export function CompositionEntries({ item: { id: composition_id, entries }, changed }: SectionProps<Composition>) {
  const { api } = usePortal();
  const [open, setOpen] = useState<'new' | { edit: CompositionEntry } | { remove: CompositionEntry } | null>(null);
  const close = (): void => setOpen(null);
  async function done(call: Promise<unknown>): Promise<void> {
    await call;
    close();
    changed();
  }
  return (
    <>
      <div>
        <ScopedButton scope="write" act={() => setOpen('new')}>
          Add a dataset
        </ScopedButton>
      </div>
      {entries.length === 0 ? (
        <Empty title="No dataset is in it yet." />
      ) : (
        <Table label="Datasets" columns={['Dataset', 'Share', 'At most']} actions>
          {entries.map((entry) => (
            <tr key={entry.dataset_id}>
              <td>
                <NamedLink of="datasets" id={entry.dataset_id} />
              </td>
              <td>{entry.weight ?? 1}</td>
              <td>{entry.max_requests == null ? 'all' : count(entry.max_requests)}</td>
              <td>
                <ScopedButton scope="write" kind="plain" act={() => setOpen({ edit: entry })}>
                  Change<span class="visually-hidden"> the share of dataset {entry.dataset_id}</span>
                </ScopedButton>
                <ScopedButton scope="write" kind="plain" act={() => setOpen({ remove: entry })}>
                  Remove<span class="visually-hidden"> dataset {entry.dataset_id}</span>
                </ScopedButton>
              </td>
            </tr>
          ))}
        </Table>
      )}
      {open === 'new' && (
        <ItemFormDialog
          title="Add a dataset"
          action="Add it"
          form={NEW_FORM}
          submit={(value) =>
            done(api.compositions.addDataset({ composition_id, ...(value as unknown as CompositionEntry) }))
          }
          close={close}
        />
      )}
      {open !== null && typeof open === 'object' && 'edit' in open && (
        <ItemFormDialog
          title="Change the share"
          action="Save"
          form={EDIT_FORM}
          given={{ ...open.edit, weight: open.edit.weight ?? 1 }}
          submit={({ weight, max_requests = null }) =>
            done(
              api.compositions.updateDataset({
                composition_id,
                dataset_id: open.edit.dataset_id,
                weight: Number(weight),
                max_requests: max_requests as number | null,
              }),
            )
          }
          close={close}
        />
      )}
      {open !== null && typeof open === 'object' && 'remove' in open && (
        <Question
          title="Remove the dataset?"
          action="Remove it"
          act={() => done(api.compositions.removeDataset({ composition_id, dataset_id: open.remove.dataset_id }))}
          close={close}
        >
          <p>
            <Name of="datasets" id={open.remove.dataset_id} /> is no longer trained with. The dataset itself stays.
          </p>
        </Question>
      )}
    </>
  );
}
