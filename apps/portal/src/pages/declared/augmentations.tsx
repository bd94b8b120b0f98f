import { useState } from 'preact/hooks';
import type { Augmentation, Dataset, DatasetsCreateAugmentationInput } from '@signalbox/sdk';
import { useQueryClient } from '@tanstack/preact-query';
import { usePortal } from '../../api/portal.js';
import type { ItemForm, SectionProps } from '../../declared/declaration.js';
import { ItemFormDialog } from '../../declared/item-form.js';
import { Empty } from '../../parts/empty.js';
import { Lamp } from '../../parts/lamp.js';
import { type Column, Rows } from '../../parts/rows.js';
import { ScopedButton } from '../../parts/scoped-button.js';
import { Time } from '../../parts/time.js';
import { count } from '../../rules/formats.js';

type Fields = Omit<DatasetsCreateAugmentationInput, 'dataset_id'>;

const FORM: ItemForm<Fields> = {
  required: ['type'],
  fields: {
    type: {
      type: 'string',
      title: 'A model writes',
      enum: ['variation', 'reasoning'],
      enumNames: ['variations of each question', 'the reasoning of each answer'],
      default: 'variation',
    },
    count: { type: 'integer', title: 'Variations of each row', minimum: 1, maximum: 20, default: 1 },
    schema: {
      type: 'array',
      title: 'Fields of the reasoning',
      description: 'Such as [{"field": "why", "instruction": "Why is this the answer?"}]; for reasoning only.',
    },
    model: { type: 'string', title: 'Model', description: 'By default the one of the company.' },
  },
};
const COLUMNS: Column<Augmentation>[] = [
  { title: 'State', width: '130px', cell: ({ status }) => <Lamp state={status} /> },
  { title: 'Kind', width: '110px', cell: ({ type }) => type },
  { title: 'Model', width: '2fr', cell: ({ model }) => model },
  { title: 'Produced', width: '90px', isNumber: true, cell: ({ produced }) => count(produced) },
  { title: 'Failed', width: '80px', isNumber: true, cell: ({ failed }) => count(failed) },
  { title: 'Made', width: '110px', cell: ({ date_created }) => <Time at={date_created} /> },
];

export function Augmentations({ item: { id: dataset_id }, changed }: SectionProps<Dataset>) {
  const { api, say } = usePortal();
  const cache = useQueryClient();
  const [isNew, setIsNew] = useState(false);
  return (
    <>
      <div>
        <ScopedButton scope="invoke" act={() => setIsNew(true)}>
          New augmentation
        </ScopedButton>
      </div>
      <Rows<Augmentation>
        label="Augmentations"
        name={['augmentations', dataset_id]}
        columns={COLUMNS}
        live="newest"
        load={(offset, limit, signal) => api.datasets.listAugmentations({ dataset_id, offset, limit }, { signal })}
        open={({ error_message, status }) => say(error_message ?? `It is ${status.toLowerCase()}.`)}
        empty={<Empty title="No model has added anything to these rows." />}
      />
      {isNew && (
        <ItemFormDialog
          title="New augmentation"
          action="Start"
          form={FORM}
          submit={async ({ type, count: n, schema, model }) => {
            const of = type === 'variation' ? { count: n } : { schema };
            const named = model === undefined ? {} : { model };
            await api.datasets.createAugmentation({
              dataset_id,
              type,
              ...of,
              ...named,
            } as DatasetsCreateAugmentationInput);
            setIsNew(false);
            say('It is under way.');
            await cache.invalidateQueries({ queryKey: ['augmentations', dataset_id] });
            changed();
          }}
          close={() => setIsNew(false)}
        />
      )}
    </>
  );
}
