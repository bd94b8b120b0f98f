import { Serves } from '@signalbox/bus';
import {
  type ArtifactBody,
  type Caller,
  type CallTo,
  type Handlers,
  type ImportWarning,
  invalidField,
  type ManifestWorkflow,
  parse,
  type Workflow,
  workflowManifests,
  workflows,
} from '@signalbox/contracts';
import { ArtifactContents, bytesOfBase64 } from '../artifacts/index.js';
import { ScriptTexts } from '../scripts/index.js';
import { WorkflowVersions } from '../versions/index.js';
import { NestedRefs, parseNestedRef, Workflows } from '../drafts/index.js';
import { type PreparedWrite, type WorkflowChange, WorkflowWrites } from '../workflows/index.js';
import { manifestOf, requireNew, requireOnce, resolvedRefs, within } from './manifest.js';
import { type BundledArtifact, Manifests } from './manifests.repository.js';

type C = typeof workflowManifests;

@Serves(workflowManifests)
export class ManifestHandlers implements Handlers<C> {
  constructor(
    private readonly manifests: Manifests,
    private readonly writes: WorkflowWrites,
    private readonly workflows: Workflows,
    private readonly versions: WorkflowVersions,
    private readonly refs: NestedRefs,
    private readonly contents: ArtifactContents,
    private readonly texts: ScriptTexts,
  ) {}

  async uploadWorkflow({ input, caller }: CallTo<C, 'uploadWorkflow'>) {
    const { artifacts, publish_version, bump_type, version_notes, ...fields } = input;
    const { companyId } = caller;
    await this.refs.require(companyId, fields.inproc_nested_refs ?? []);
    const id = await this.workflows.findId(companyId, fields.workflow_ref_name);
    const write = await this.prepare(caller, fields, id);
    const stored = await this.storeAll(companyId, artifacts);
    await this.writes.bind(caller, write);
    const publish = publish_version ? { increment: bump_type, notes: version_notes } : null;
    return this.manifests.upload(caller, { write, artifacts: stored, publish });
  }

  async importWorkflows({ input, caller }: CallTo<C, 'importWorkflows'>) {
    const { companyId } = caller;
    const given = input.workflows;
    requireOnce(given);
    const existing = await this.workflows.idsOf(
      companyId,
      given.map(({ workflow_ref_name }) => workflow_ref_name),
    );
    if (input.on_conflict === 'error') requireNew(given, existing);
    const warnings: ImportWarning[] = [];
    const resolved = await this.resolveRefs(companyId, given, warnings);
    const writes: PreparedWrite[] = [];
    for (const [at, fields] of resolved.entries()) {
      const path = `workflows[${at}]`;
      const id = existing.get(fields.workflow_ref_name) ?? null;
      writes.push(await within(path, () => this.prepare(caller, fields, id)));
    }
    for (const write of writes) await this.writes.bind(caller, write);
    return this.manifests.import(caller, writes, warnings);
  }

  async exportWorkflow({ input: { workflow_id, version }, caller }: CallTo<C, 'exportWorkflow'>) {
    const { companyId } = caller;
    const workflow = JSON.parse((await this.workflows.get(companyId, workflow_id)).text) as Workflow;
    const { snapshot } = await this.versions.resolve(companyId, workflow_id, { version });
    return { workflows: [manifestOf(workflow, snapshot, await this.texts.get(snapshot.script_key))] };
  }

  /** `id` is null for a new workflow. */
  private prepare(
    caller: Caller,
    { workflow_ref_name, ...fields }: WorkflowChange & { workflow_ref_name: string },
    id: number | null,
  ): Promise<PreparedWrite> {
    if (id !== null) return this.writes.prepareChange(caller, id, fields);
    const body = { workflow_ref_name, ...fields };
    return this.writes.prepareNew(caller, parse(workflows.endpoints.createWorkflow.input, body));
  }

  private async resolveRefs(
    companyId: number,
    given: readonly ManifestWorkflow[],
    warnings: ImportWarning[],
  ): Promise<ManifestWorkflow[]> {
    const own = new Set(given.map(({ workflow_ref_name }) => workflow_ref_name));
    const named = given.flatMap(({ inproc_nested_refs: refs = [] }) => refs);
    const known = await this.refs.known(companyId, [
      ...new Set([...named, ...named.map((each) => parseNestedRef(each).ref)]),
    ]);
    const isKnown = (ref: string): boolean => own.has(ref) || known.has(ref);
    return given.map((workflow, at) => {
      const { inproc_nested_refs: refs } = workflow;
      if (!refs) return workflow;
      return { ...workflow, inproc_nested_refs: resolvedRefs(refs, `workflows[${at}]`, isKnown, warnings) };
    });
  }

  private async storeAll(companyId: number, artifacts: readonly ArtifactBody[]): Promise<BundledArtifact[]> {
    const stored: BundledArtifact[] = [];
    for (const [at, { key, content_type, content_base64 }] of artifacts.entries()) {
      const bytes = bytesOfBase64(content_base64);
      if (!bytes) throw invalidField(`artifacts[${at}].content_base64`, 'must be base64');
      stored.push({ key, content_type, ...(await this.contents.store(companyId, bytes)) });
    }
    return stored;
  }
}
