import { useState } from 'preact/hooks';
import type { EvaluationCriteria } from '@signalbox/sdk';
import { useQueryClient } from '@tanstack/preact-query';
import { useLocation, useParams } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { Failure } from '../../parts/failure.js';
import { Lamp } from '../../parts/lamp.js';
import { Loaded } from '../../parts/loaded.js';
import { Question } from '../../parts/question.js';
import { useTyped } from '../../parts/unsaved.js';
import { CriterionForm } from './criterion-form.js';
import { TryCriterion } from './try-criterion.js';

export function CriterionPage() {
  const { api } = usePortal();
  const criteria_id = Number(useParams<{ id: string }>().id);
  return (
    <div class="page">
      <Loaded
        name={['criterion', criteria_id]}
        load={(signal) => api.evaluationCriteria.get({ criteria_id }, { signal })}
      >
        {(criterion, reload) => (
          <>
            <Head criterion={criterion} changed={reload} />
            <div class="columns">
              <Definition criterion={criterion} changed={reload} />
              <TryCriterion criterion={criterion} />
            </div>
          </>
        )}
      </Loaded>
    </div>
  );
}

function Head({ criterion: { id: criteria_id, name, enabled }, changed }: CriterionProps) {
  const { api, can, say } = usePortal();
  const [, go] = useLocation();
  const [error, setError] = useState<unknown>(null);
  const [isAsked, setIsAsked] = useState(false);
  const allowed = can('write');
  const { enable, disable } = api.evaluationCriteria;
  async function remove(): Promise<void> {
    await api.evaluationCriteria.delete({ criteria_id });
    say(`${name} is deleted.`);
    go('/criteria');
  }
  return (
    <>
      <div class="head">
        <h1>{name}</h1>
        <Lamp state={enabled ? 'ENABLED' : 'DISABLED'} />
        <button
          aria-disabled={!allowed}
          onClick={() => allowed && void (enabled ? disable : enable)({ criteria_id }).then(changed).catch(setError)}
        >
          {enabled ? 'Disable' : 'Enable'}
        </button>
        <button class="danger" aria-disabled={!allowed} onClick={() => allowed && setIsAsked(true)}>
          Delete
        </button>
      </div>
      <Failure error={error} />
      {isAsked && (
        <Question title={`Delete ${name}?`} action="Delete it" act={remove} close={() => setIsAsked(false)}>
          <p>Scores that it gave stay. It cannot be deleted while a test set or a run names it.</p>
        </Question>
      )}
    </>
  );
}

interface CriterionProps {
  criterion: EvaluationCriteria;
  changed: () => void;
}

function Definition({ criterion, changed }: CriterionProps) {
  const { api, can, say } = usePortal();
  const cache = useQueryClient();
  const { id: criteria_id, date_updated } = criterion;
  const edit = useTyped(date_updated);
  return (
    <section class="card" aria-label="Definition" onInput={edit.typed}>
      <h2>Definition</h2>
      <CriterionForm
        key={edit.key}
        before={criterion}
        action="Save it"
        typed={edit.typed}
        {...(can('write') ? {} : { locked: 'Saving needs a key with the scope «write».' })}
        submit={async ({ criteria_type: _type, ...fields }) => {
          const saved = api.evaluationCriteria.update({ criteria_id, ...fields });
          await edit.saving(saved.then((after) => cache.setQueryData(['criterion', criteria_id], after)));
          say('Saved. Earlier scores keep what they used.');
          changed();
        }}
      />
    </section>
  );
}
