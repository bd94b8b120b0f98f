import { parse, workflows, workflowVersions } from '@signalbox/contracts';
import type { World } from '../world.js';
import { platform } from './fixture.js';

/** Creates a workflow of a reference name. */
export const workflowOf = (of: World, workflow_ref_name: string) =>
  platform.bus.call(
    workflows.endpoints.createWorkflow,
    parse(workflows.endpoints.createWorkflow.input, { workflow_ref_name, script: 'function execute() {}' }),
    of.caller(),
  );

/** Publishes the draft of a workflow: 1.0.0, then 1.1.0. */
export const publishWorkflow = (of: World, workflow_id: number) =>
  platform.bus.call(
    workflowVersions.endpoints.publishVersion,
    { workflow_id, bump_type: 'minor', version_notes: '' },
    of.caller(),
  );
