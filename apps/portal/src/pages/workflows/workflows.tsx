import type { WorkflowSummary } from '@signalbox/sdk';
import type { Listing } from '../../declared/declaration.js';
import { listPageWith } from '../../declared/pages.js';
import { Lamp } from '../../parts/lamp.js';
import { choiceOf, SEARCH } from '../declared/fields.js';
import { NewWorkflow } from './new-workflow.js';
import { CHANGED } from '../declared/columns.js';

const WORKFLOWS: Listing<WorkflowSummary> = {
  title: 'Workflows',
  noun: 'workflow',
  about: 'A workflow is a script that calls models, agents and APIs, with kept steps, versions and releases.',
  path: () => '/workflows',
  idOf: ({ id }) => id,
  columns: [
    { title: 'Workflow', width: 'minmax(140px, 2fr)', cell: ({ workflow_name }) => workflow_name },
    { title: 'Reference', width: 'minmax(90px, 1fr)', cell: ({ workflow_ref_name }) => workflow_ref_name },
    { title: 'Language', width: '90px', cell: ({ language }) => language },
    { title: 'State', width: '110px', cell: ({ status }) => <Lamp state={status} /> },
    {
      title: 'Version',
      width: '130px',
      cell: ({ latest_version_number, has_unpublished_changes }) =>
        `${latest_version_number ?? 'none'}${has_unpublished_changes ? ' + changes' : ''}`,
    },
    CHANGED,
  ],
  filters: [
    SEARCH,
    choiceOf('status', 'State', ['ENABLED', 'DISABLED']),
    choiceOf('language', 'Language', ['javascript', 'typescript', 'python']),
  ],
  list: (api, input, _ids, signal) => api.workflows.list(input, { signal }),
};

export const Workflows = listPageWith(WORKFLOWS, NewWorkflow);
