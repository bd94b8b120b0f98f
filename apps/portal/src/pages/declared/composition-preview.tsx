import type { Composition, CompositionPreview as Shown } from '@signalbox/sdk';
import { usePortal } from '../../api/portal.js';
import type { SectionProps } from '../../declared/declaration.js';
import { Empty } from '../../parts/empty.js';
import { Loaded } from '../../parts/loaded.js';
import { Messages } from '../../parts/messages.js';
import { Table } from '../../parts/table.js';
import { count } from '../../rules/formats.js';
import { NamedLink } from './name.js';

const SAMPLES = 5;
const LISTED = 200;

export function CompositionPreview({ item: { id: composition_id, date_updated } }: SectionProps<Composition>) {
  const { api } = usePortal();
  return (
    <Loaded
      name={['composition preview', composition_id, date_updated]}
      load={(signal) => api.compositions.preview({ composition_id, sample_size: SAMPLES }, { signal })}
    >
      {(preview) => <Preview preview={preview} />}
    </Loaded>
  );
}

function Preview({ preview }: { preview: Shown }) {
  const { train_count, validation_count, excluded_count, excluded_overlap, per_dataset, samples } = preview;
  if (train_count + validation_count === 0 && excluded_count === 0)
    return <Empty title="It has no rows: add datasets that have some." />;
  const figures: [string, number][] = [
    ['To train with', train_count],
    ['To validate with', validation_count],
    ['Left out as tests', excluded_count],
  ];
  return (
    <div class="stack">
      <dl class="figures">
        {figures.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{count(value)}</dd>
          </div>
        ))}
      </dl>
      <Table label="Rows of each dataset" columns={['Dataset', 'Rows']}>
        {per_dataset.map(({ dataset_id, count: rows }) => (
          <tr key={dataset_id}>
            <td>
              <NamedLink of="datasets" id={dataset_id} />
            </td>
            <td>{count(rows)}</td>
          </tr>
        ))}
      </Table>
      {excluded_overlap.length > 0 && (
        <details>
          <summary>Rows that are left out, as a test set has them ({count(excluded_count)})</summary>
          <Table label="Rows that are left out" columns={['Row of the dataset', 'Item of the test set']}>
            {excluded_overlap.slice(0, LISTED).map(({ dataset_request_id, test_set_item_id }) => (
              <tr key={`${dataset_request_id} ${test_set_item_id}`}>
                <td>{dataset_request_id}</td>
                <td>{test_set_item_id}</td>
              </tr>
            ))}
          </Table>
          {excluded_overlap.length > LISTED && <p class="soft">The first {LISTED} of them.</p>}
        </details>
      )}
      <h2>Samples</h2>
      {samples.map(({ dataset_request_id, split, messages }) => (
        <section class="card" key={dataset_request_id} aria-label={`Row ${dataset_request_id}`}>
          <p class="soft">
            Row {dataset_request_id}, to {split === 'train' ? 'train' : 'validate'} with
          </p>
          {messages === null ? <p class="soft">It is too long to be shown here.</p> : <Messages messages={messages} />}
        </section>
      ))}
    </div>
  );
}
