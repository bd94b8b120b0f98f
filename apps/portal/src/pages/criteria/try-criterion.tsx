import { useState } from 'preact/hooks';
import type { CriterionTrial, EvaluationCriteria, Expected, RunItem, TestSetItem } from '@signalbox/sdk';
import { Link } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { Field, Form } from '../../parts/form.js';
import { Lamp } from '../../parts/lamp.js';
import { Loaded } from '../../parts/loaded.js';
import { useParam } from '../../parts/param.js';
import { textOf } from '../../parts/messages.js';
import { count, oneLine } from '../../rules/formats.js';
import { answerText, expectedOf } from '../../rules/verdict.js';

const LISTED = 100;

/** Uses the saved criterion; nothing is stored. */
export function TryCriterion({ criterion }: { criterion: EvaluationCriteria }) {
  const { api } = usePortal();
  const [set, setSet] = useParam('set');
  return (
    <section class="card" aria-label="Try">
      <h2>Try it on an item</h2>
      <Loaded name={['test sets', 'named']} load={(signal) => api.testSets.list({ limit: LISTED }, { signal }).all()}>
        {(sets) => {
          const chosen = sets.find(({ id }) => String(id) === set) ?? sets.find(({ item_count }) => item_count > 0);
          if (!chosen)
            return (
              <p class="soft">
                There is no test set with items yet. <Link href="/test-sets">Make one</Link>
              </p>
            );
          return (
            <>
              <Field label="Test set">
                <select value={chosen.id} onChange={({ currentTarget }) => setSet(currentTarget.value)}>
                  {sets.map(({ id, name }) => (
                    <option value={id} key={id}>
                      {name}
                    </option>
                  ))}
                </select>
              </Field>
              <Items key={chosen.id} criterion={criterion} testSetId={chosen.id} />
            </>
          );
        }}
      </Loaded>
    </section>
  );
}

const inputWords = ({ input }: Pick<TestSetItem, 'input'> | { input: null }): string =>
  input === null
    ? '(large)'
    : oneLine(input.messages?.length ? textOf(input.messages.at(-1)?.content) : JSON.stringify(input.input), 60);

function Items({ criterion, testSetId: test_set_id }: { criterion: EvaluationCriteria; testSetId: number }) {
  const { api } = usePortal();
  const [item, setItem] = useParam('item');
  return (
    <Loaded
      name={['test set', test_set_id, 'items', 'named']}
      load={(signal) => api.testSets.listItems({ test_set_id, limit: LISTED, sort: 'position' }, { signal })}
    >
      {({ data, pagination: { total } }) => {
        const chosen = data.find(({ id }) => String(id) === item) ?? data[0];
        if (!chosen) return <p class="soft">This set has no items.</p>;
        return (
          <>
            <Field label="Item" hint={total > LISTED ? `The first ${LISTED} of ${count(total)}.` : ''}>
              <select value={chosen.id} onChange={({ currentTarget }) => setItem(currentTarget.value)}>
                {data.map((each) => (
                  <option value={each.id} key={each.id}>
                    {each.position}: {inputWords(each as never)}
                  </option>
                ))}
              </select>
            </Field>
            <Loaded
              key={chosen.id}
              name={['item', test_set_id, chosen.id]}
              load={(signal) => api.testSets.getItem({ test_set_id, item_id: chosen.id }, { signal })}
            >
              {(whole) => <FromRun key={whole.id} criterion={criterion} item={whole} />}
            </Loaded>
          </>
        );
      }}
    </Loaded>
  );
}

function FromRun({ criterion, item }: { criterion: EvaluationCriteria; item: TestSetItem }) {
  const { api } = usePortal();
  const [run, setRun] = useParam('run');
  const { test_set_id, position } = item;
  const answerOf = async (id: number, signal: AbortSignal): Promise<RunItem | null> => {
    if (!id) return null;
    const { data } = await api.testRuns.listRunItems({ id, sort: 'position', offset: position, limit: 1 }, { signal });
    const [found] = data;
    // The set may have changed since.
    return found?.test_set_item_id === item.id ? api.testRuns.getRunItem({ id, item_id: found.id }, { signal }) : null;
  };
  return (
    <Loaded
      name={['test set', test_set_id, 'runs', 'named']}
      load={(signal) => api.testRuns.list({ test_set_id, status: ['COMPLETED'], limit: 20 }, { signal })}
    >
      {({ data }) => (
        <>
          <Field label="From" hint="A run gives the steps, the time and the cost as well.">
            <select value={run} onChange={({ currentTarget }) => setRun(currentTarget.value)}>
              <option value="">nobody: write one</option>
              {data.map(({ id, name }) => (
                <option value={id} key={id}>
                  run {id}
                  {name ? `: ${name}` : ''}
                </option>
              ))}
            </select>
          </Field>
          <Loaded key={run} name={['answer', run, item.id]} load={(signal) => answerOf(Number(run), signal)}>
            {(answer) => <Answer key={answer?.id ?? 0} criterion={criterion} item={item} answered={answer} />}
          </Loaded>
        </>
      )}
    </Loaded>
  );
}

interface AnswerProps {
  criterion: EvaluationCriteria;
  item: TestSetItem;
  answered: RunItem | null;
}

function Answer({ criterion, item, answered }: AnswerProps) {
  const { api, can } = usePortal();
  const [result, setResult] = useState<CriterionTrial | null>(null);
  const { input, effective_expected_output: expected } = item;
  async function judge({ answer = '' }: Record<string, string>): Promise<void> {
    const actual_output: Expected = expectedOf(answer, expected);
    setResult(
      await api.evaluationCriteria.test({
        criteria_id: criterion.id,
        input: answered ? answered.adapted_input : input.messages?.length ? input.messages : input.input,
        expected_output: expected,
        actual_output,
        metadata: item.meta,
        ...(answered ? { latency_ms: answered.duration_ms, cost: answered.cost, source_ref: answered.source_ref } : {}),
      }),
    );
  }
  return (
    <>
      <Form
        action="Judge it"
        submit={judge}
        {...(can('invoke') ? {} : { locked: 'A try needs a key with the scope «invoke».' })}
      >
        <p class="soft">Expected: {oneLine(answerText(expected), 400) || 'nothing'}</p>
        <Field label="Answer" hint={`The ${answered ? 'given' : 'expected'} one to begin with; change it and see.`}>
          <textarea
            name="answer"
            rows={5}
            defaultValue={answerText(answered ? answered.actual_output : expected) ?? ''}
          />
        </Field>
      </Form>
      <div role="status" class="stack">
        {result && (
          <>
            <div class="strip">
              <Lamp
                state={result.passed === null ? 'ERROR' : result.passed ? 'PASS' : 'FAIL'}
                failureClass={result.passed === null ? (result.failure_class ?? null) : null}
              />
              <span>
                <small>score</small> <b>{result.score ?? '–'}</b>
              </span>
              <span>
                <small>passes at</small> <b>{result.threshold ?? criterion.pass_threshold}</b>
              </span>
            </div>
            {result.description && <p>{result.description}</p>}
            {result.logs && result.logs.length > 0 && (
              <pre class="json" tabIndex={0} aria-label="Log of the script">
                {result.logs.map(({ level, message }) => `${level} ${message}`).join('\n')}
              </pre>
            )}
          </>
        )}
      </div>
    </>
  );
}
