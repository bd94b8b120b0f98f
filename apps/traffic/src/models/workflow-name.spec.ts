import { workflowNameOf } from './workflow-name.js';

it.each([
  ['gpt-x', null],
  ['workflow:triage', { workflow_ref_name: 'triage' }],
  ['workflow:triage@1.2.3', { workflow_ref_name: 'triage', version: '1.2.3' }],
  ['workflow:triage@latest', { workflow_ref_name: 'triage', version: 'latest' }],
  ['workflow:triage@prod', { workflow_ref_name: 'triage', release: 'prod' }],
])('the workflow in %s', (model, expected) => expect(workflowNameOf(model)).toEqual(expected));
