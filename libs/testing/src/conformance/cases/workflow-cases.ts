import { artifacts, workflowRuns, workflows, workflowVersions } from '@signalbox/contracts';
import type { Case } from './case.js';
import type { ConformanceFixtures } from '../fixtures.js';

type Json = Record<string, unknown>;

const SCRIPT = 'async function execute(ctx) {\n  return ctx.input;\n}\n';

/** One workflow per fixture company with a version and a release; destructive cases create their own. */
const known = new WeakMap<ConformanceFixtures, Map<string, Promise<Json>>>();

function once(fixtures: ConformanceFixtures, name: string, make: () => Promise<Json>): Promise<Json> {
  const made = known.get(fixtures) ?? new Map<string, Promise<Json>>();
  known.set(fixtures, made);
  const created = made.get(name) ?? make();
  made.set(name, created);
  return created;
}

const body = (fixtures: ConformanceFixtures): Json => ({
  workflow_ref_name: fixtures.fresh('flow'),
  script: SCRIPT,
});
const newWorkflow = (fixtures: ConformanceFixtures): Promise<Json> =>
  fixtures.call(workflows.endpoints.createWorkflow, body(fixtures));
const workflow = (fixtures: ConformanceFixtures) => once(fixtures, 'workflow', () => newWorkflow(fixtures));
const path: Case = async (fixtures) => ({ workflow_id: (await workflow(fixtures)).id });
const newPath: Case = async (fixtures) => ({ workflow_id: (await newWorkflow(fixtures)).id });

const newVersion = async (fixtures: ConformanceFixtures) =>
  fixtures.call(workflowVersions.endpoints.publishVersion, await path(fixtures));
const version: Case = async (fixtures) => ({
  ...(await path(fixtures)),
  version: (await once(fixtures, 'version', () => newVersion(fixtures))).version_number,
});
const newRelease = async (fixtures: ConformanceFixtures) =>
  fixtures.call(workflowVersions.endpoints.createRelease, {
    ...(await version(fixtures)),
    name: fixtures.fresh('release'),
  });
const releaseOf = (fixtures: ConformanceFixtures, made: Promise<Json>) =>
  made.then(async ({ name }) => ({ ...(await path(fixtures)), release_name: name }));
const release: Case = (fixtures) =>
  releaseOf(
    fixtures,
    once(fixtures, 'release', () => newRelease(fixtures)),
  );

const file = (fixtures: ConformanceFixtures): Json => ({
  key: `data/${fixtures.fresh('file')}.txt`,
  content_base64: 'aGk=',
  content_type: 'text/plain',
});
async function newArtifact(fixtures: ConformanceFixtures): Promise<Json> {
  const { workflow_id } = await path(fixtures);
  const { id } = await fixtures.call(artifacts.endpoints.putArtifact, { workflow_id, ...file(fixtures) });
  return { workflow_id, artifact_id: id };
}
const artifact: Case = (fixtures) => once(fixtures, 'artifact', () => newArtifact(fixtures));

async function transforming(fixtures: ConformanceFixtures): Promise<Json> {
  const transform_session = 'function transform_session(session) {\n  return session.session_id;\n}\n';
  const make = () => fixtures.call(workflows.endpoints.createWorkflow, { ...body(fixtures), transform_session });
  return { workflow_id: (await once(fixtures, 'transforming', make)).id };
}

const newRun = async (fixtures: ConformanceFixtures) =>
  fixtures.call(workflowRuns.endpoints.executeWorkflow, { ...(await path(fixtures)), input: 'hello' });
const run: Case = async (fixtures) => ({ run_id: (await once(fixtures, 'run', () => newRun(fixtures))).id });
export const completedRunId = async (fixtures: ConformanceFixtures): Promise<unknown> => (await run(fixtures)).run_id;
/** Waits, because an endless loop would use a processor until its limit. */
async function openRun(fixtures: ConformanceFixtures): Promise<Json> {
  const script = `async function execute(ctx) {\n  await ctx.http.fetch('${fixtures.hangingUrl}');\n}\n`;
  const endless = await fixtures.call(workflows.endpoints.createWorkflow, { ...body(fixtures), script });
  const { executeWorkflow } = workflowRuns.endpoints;
  const { run_id } = await fixtures.call(executeWorkflow, { workflow_id: endless.id, mode: 'async' });
  return { run_id };
}

export const WORKFLOW_CASES: Readonly<Record<string, Case>> = {
  'workflows.listWorkflows': async (fixtures) => ({
    application_id: await fixtures.idOf(fixtures.application()),
    language: ['javascript'],
  }),
  'workflows.createWorkflow': async (fixtures) => ({
    ...body(fixtures),
    application_id: await fixtures.idOf(fixtures.application()),
    input_schema: { type: 'object' },
  }),
  'workflows.getWorkflow': path,
  'workflows.getWorkflowByRef': async (fixtures) => ({
    workflow_ref_name: (await workflow(fixtures)).workflow_ref_name,
  }),
  'workflows.updateWorkflow': async (fixtures) => ({ ...(await path(fixtures)), description: 'changed' }),
  'workflows.deleteWorkflow': newPath,
  'workflows.enableWorkflow': path,
  'workflows.disableWorkflow': newPath,
  'workflows.validateScript': () => ({ script: SCRIPT }),
  'workflows.getDefaultScript': () => ({ language: 'typescript' }),
  'workflows.listLanguages': () => ({}),
  'workflow-versions.publishVersion': async (fixtures) => ({ ...(await path(fixtures)), bump_type: 'patch' }),
  'workflow-versions.listVersions': path,
  'workflow-versions.diffVersions': async (fixtures) => {
    const { workflow_id, version: from } = await version(fixtures);
    return { workflow_id, from };
  },
  'workflow-versions.getVersion': version,
  'workflow-versions.restoreVersion': version,
  'workflow-versions.listReleases': path,
  'workflow-versions.createRelease': async (fixtures) => ({
    ...(await version(fixtures)),
    name: fixtures.fresh('release'),
  }),
  'workflow-versions.getRelease': release,
  'workflow-versions.updateRelease': async (fixtures) => ({ ...(await release(fixtures)), version: 'latest' }),
  'workflow-versions.deleteRelease': (fixtures) => releaseOf(fixtures, newRelease(fixtures)),
  'workflow-versions.checkRelease': async (fixtures) => ({ ...(await release(fixtures)), version: 'latest' }),
  'workflow-versions.listReleaseMoves': release,
  'workflow-manifests.uploadWorkflow': (fixtures) => ({
    ...body(fixtures),
    artifacts: [file(fixtures)],
    publish_version: true,
  }),
  'workflow-manifests.importWorkflows': (fixtures) => ({ workflows: [body(fixtures)] }),
  'workflow-manifests.exportWorkflow': path,
  'workflow-runs.executeWorkflow': async (fixtures) => ({ ...(await path(fixtures)), input: { n: 1 }, mode: 'async' }),
  'workflow-runs.listRuns': async (fixtures) => ({ ...(await path(fixtures)), status: ['COMPLETED', 'FAILED'] }),
  'workflow-runs.searchRuns': async (fixtures) => ({ ...(await path(fixtures)), text: 'hello', include_body: true }),
  'workflow-runs.listAllRuns': () => ({ trigger: ['API'], sort: '-duration_ms' }),
  'workflow-runs.getRun': run,
  'workflow-runs.listRunLogs': run,
  'workflow-runs.listRunTimeline': run,
  'workflow-runs.streamRun': run,
  'workflow-runs.cancelRun': openRun,
  'workflow-runs.rerunRun': run,
  'workflow-artifacts.listArtifacts': path,
  'workflow-artifacts.putArtifact': async (fixtures) => ({ ...(await path(fixtures)), ...file(fixtures) }),
  'workflow-artifacts.getArtifact': artifact,
  'workflow-artifacts.deleteArtifact': newArtifact,
  'workflow-artifacts.getArtifactContent': artifact,
  'workflow-artifacts.listRunArtifacts': run,
  'workflow-transforms.previewTransform': async (fixtures) => ({
    ...(await transforming(fixtures)),
    session: { session_id: 's' },
  }),
  'session-transforms.previewSessionTransform': async (fixtures) => ({
    ...(await transforming(fixtures)),
    session_id: (await fixtures.request()).session_id,
  }),
};
