import { Serves } from '@signalbox/bus';
import {
  type Caller,
  type CallTo,
  type Handlers,
  invalidField,
  sessionTransforms,
  transformPreviews,
} from '@signalbox/contracts';
import { WorkflowVersions } from '../versions/index.js';
import { SessionReads } from './session-reads.js';
import { SessionTransforms } from './session-transforms.js';

type OfWorkflow = typeof transformPreviews;
type OfSession = typeof sessionTransforms;
type Target = CallTo<OfSession, 'previewSessionTransform'>['input'];

const MARGIN_MS = 1000;

@Serves(transformPreviews)
export class TransformPreviewHandlers implements Handlers<OfWorkflow> {
  constructor(
    private readonly versions: WorkflowVersions,
    private readonly reads: SessionReads,
    private readonly transforms: SessionTransforms,
  ) {}

  async previewTransform({ input, caller }: CallTo<OfWorkflow, 'previewTransform'>) {
    const { session, session_id, workflow_id } = input;
    if (session === undefined && session_id === undefined)
      throw invalidField('session', 'is required when session_id is absent');
    const { snapshot } = await this.versions.resolve(caller.companyId, workflow_id, input);
    const transformed = session ?? (await this.reads.ofChat(session_id ?? '', caller));
    const { companyId } = caller;
    const signal = signalOf(caller);
    return { result: await this.transforms.preview({ companyId, snapshot, session: transformed, signal }) };
  }
}

@Serves(sessionTransforms)
export class SessionTransformHandlers implements Handlers<OfSession> {
  constructor(
    private readonly versions: WorkflowVersions,
    private readonly reads: SessionReads,
    private readonly transforms: SessionTransforms,
  ) {}

  async previewSessionTransform({ input, caller }: { input: Target; caller: Caller }) {
    const { companyId } = caller;
    const session = await this.reads.ofChat(input.session_id, caller);
    const { snapshot } = await this.versions.resolve(companyId, input.workflow_id, input);
    return { result: await this.transforms.preview({ companyId, snapshot, session, signal: signalOf(caller) }) };
  }
}

const signalOf = ({ deadline }: Caller): AbortSignal =>
  AbortSignal.timeout(Math.max(0, deadline - Date.now() - MARGIN_MS));
