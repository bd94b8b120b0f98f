import type { CriterionResult, RunItem } from '@signalbox/sdk';
import { Lamp } from '../../parts/lamp.js';
import { Table } from '../../parts/table.js';
import { percent } from '../../rules/formats.js';

export interface JudgedItem {
  title: string;
  item: Pick<RunItem, 'criteria_results'> | null;
}

export function CriteriaResults({ runs }: { runs: readonly JudgedItem[] }) {
  const resultsOf = (id: number) =>
    runs.map(({ title, item }) => ({ title, result: item?.criteria_results.find((each) => each.criteria_id === id) }));
  const names = new Map(
    runs.flatMap(({ item }) => item?.criteria_results ?? []).map(({ criteria_id, name }) => [criteria_id, name]),
  );
  if (names.size === 0) return <p class="soft">No criterion: an answer is right when it equals what is expected.</p>;
  return (
    <Table label="Criteria" columns={['Criterion', ...runs.map(({ title }) => title), 'Why']}>
      {[...names].map(([id, name]) => (
        <tr key={id}>
          <td>{name}</td>
          {resultsOf(id).map(({ title, result }) => (
            <td key={title}>{result ? <Judged result={result} /> : '–'}</td>
          ))}
          <td>
            {resultsOf(id).map(({ title, result }) =>
              result?.description ? (
                <p key={title}>
                  {runs.length > 1 && <span class="soft">{title}: </span>}
                  {result.description}
                </p>
              ) : null,
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}

const Judged = ({ result: { passed, failure_class = null, score } }: { result: CriterionResult }) => (
  <>
    <Lamp
      state={passed === null ? 'ERROR' : passed ? 'PASS' : 'FAIL'}
      failureClass={passed === null ? failure_class : null}
    />{' '}
    <span class="soft">{percent(score)}</span>
  </>
);
