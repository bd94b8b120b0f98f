import type { EvaluationCriteria } from '@signalbox/sdk';
import { usePortal } from '../../api/portal.js';
import type { Listing } from '../../declared/declaration.js';
import { listPageWith } from '../../declared/pages.js';
import { Dialog } from '../../parts/dialog.js';
import { Lamp } from '../../parts/lamp.js';
import { METHODS } from '../../rules/criteria.js';
import { oneOf, SEARCH } from '../declared/fields.js';
import { CriterionForm } from './criterion-form.js';
import { CHANGED } from '../declared/columns.js';

const CRITERIA: Listing<EvaluationCriteria> = {
  title: 'Criteria',
  noun: 'criterion',
  about: 'There is no criterion yet. Without one, a test run asks only whether the answer equals what is expected.',
  path: () => '/criteria',
  idOf: ({ id }) => id,
  columns: [
    { title: 'Name', width: '2fr', cell: ({ name }) => name },
    { title: 'The answer', width: '2fr', cell: ({ method }) => METHODS[method] },
    { title: 'Score', width: '90px', cell: ({ criteria_type }) => (criteria_type === 'BOOLEAN' ? '0 or 1' : '1 to 5') },
    { title: 'Passes at', width: '80px', isNumber: true, cell: ({ pass_threshold }) => pass_threshold },
    { title: 'Weight', width: '70px', isNumber: true, cell: ({ weight }) => weight },
    { title: 'State', width: '110px', cell: ({ enabled }) => <Lamp state={enabled ? 'ENABLED' : 'DISABLED'} /> },
    CHANGED,
  ],
  filters: [SEARCH, oneOf('method', 'The answer', METHODS)],
  list: (api, input, _ids, signal) => api.evaluationCriteria.list(input, { signal }),
};

function NewCriterion({ close, made }: { close: () => void; made: (id: number) => void }) {
  const { api } = usePortal();
  return (
    <Dialog title="New criterion" close={close}>
      <CriterionForm
        action="Make it"
        submit={async (fields) => made((await api.evaluationCriteria.create(fields)).id)}
      />
    </Dialog>
  );
}

export const Criteria = listPageWith(CRITERIA, NewCriterion);
