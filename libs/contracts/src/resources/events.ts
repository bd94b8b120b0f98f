import { defineEvents, type PayloadsOf } from '../events.js';
import { intType, stringType } from '../fields/field-types.js';
import { Count, Epoch, Flag, Id, Int, Json, List, MapOf, Nullable, omit, SemVer, Slug, Str } from '../fields/fields.js';
import { RecordedRequest } from './chat/requests.js';
import { SessionFeedback } from './chat/session-feedback.js';
import { AgentAction } from './agents/agent-actions.js';
import { TaskSummary } from './agents/agent-tasks.js';
import { AgentSummary } from './agents/agents.js';
import { ApiKey } from './accounts/api-keys.js';
import { Application } from './applications.js';
import { EvaluationResult } from './evaluations/evaluation-results.js';
import { EvaluationRun } from './evaluations/evaluations.js';
import { Sentinel } from './evaluations/sentinels.js';
import { IntentGroup } from './intent-groups.js';
import { Intent } from './intents.js';
import { Model } from './models.js';
import { MonitorAlert } from './monitors/monitor-alerts.js';
import { CheckRunSummary } from './monitors/monitor-checks.js';
import { MonitorRunSummary } from './monitors/monitor-runs.js';
import { MonitorTarget } from './monitors/monitor-targets.js';
import { MonitorSummary } from './monitors/monitors.js';
import { Provider } from './providers.js';
import { TagRule } from './tags/tag-rules.js';
import { TagRun } from './tags/tag-runs.js';
import { Tag } from './tags/tags.js';
import { EvaluationCriteria } from './test-runs/evaluation-criteria.js';
import { TestSetItemRecord } from './test-runs/test-set-items.js';
import { TestSet } from './test-runs/test-sets.js';
import { Augmentation } from './training/augmentations.js';
import { Composition } from './training/compositions.js';
import { Dataset } from './training/datasets.js';
import { FinetuneRun } from './training/finetune-runs.js';
import { WorkflowRunSummary } from './workflows/run-records.js';
import { WorkflowSummary } from './workflows/workflows.js';
import { TestRun } from './test-runs/test-runs.js';

/** An agent without its prompts, as events carry it. */
export class AgentRecord extends omit(AgentSummary, 'system_prompt', 'strategy_prompt_addendum') {}
/** An action without its configuration, as events carry it. */
export class ActionRecord extends omit(AgentAction, 'action_config') {}

/** A newly published version. */
export class VersionPublished {
  @Id() id!: number;
  @SemVer() version!: string;
  @Str(0, 2000) notes!: string;
}
/** A release that points to another version now. */
export class ReleaseMoved {
  @Slug() release_name!: string;
  @SemVer() @Nullable() from_version!: string | null;
  @SemVer() to_version!: string;
  @Flag() overridden!: boolean;
}
/** A task without its messages and output, as events carry it. */
export class TaskRecord extends omit(TaskSummary, 'first_message', 'waiting') {}
/** The id of a deleted resource. */
export class Gone {
  @Json() id!: number | string;
}
/** A recorded model call without its messages, answer and correction, as events carry it. */
export class RequestRecord extends omit(RecordedRequest, 'params', 'response', 'corrected_response') {}

/** The events of agents. */
export const agentEvents = defineEvents('agents', {
  'agent.created': { resource: 'agent', data: AgentRecord, description: 'An agent was created' },
  'agent.updated': { resource: 'agent', data: AgentRecord, description: 'The draft of an agent was changed' },
  'agent.deleted': { resource: 'agent', data: Gone, description: 'An agent was deleted' },
  'agent.enabled': { resource: 'agent', data: AgentRecord, description: 'An agent was enabled' },
  'agent.disabled': { resource: 'agent', data: AgentRecord, description: 'An agent was disabled' },
  'agent_action.created': { resource: 'agent_action', data: ActionRecord, description: 'An action was added' },
  'agent_action.updated': { resource: 'agent_action', data: ActionRecord, description: 'An action was changed' },
  'agent_action.deleted': { resource: 'agent_action', data: Gone, description: 'An action was deleted' },
  'agent_action.enabled': { resource: 'agent_action', data: ActionRecord, description: 'An action was enabled' },
  'agent_action.disabled': { resource: 'agent_action', data: ActionRecord, description: 'An action was disabled' },
  'agent.routing_updated': { resource: 'agent', data: AgentRecord, description: 'The routing of an agent was changed' },
  'agent.version_published': { resource: 'agent', data: VersionPublished, description: 'A version was published' },
  'agent.release_moved': { resource: 'agent', data: ReleaseMoved, description: 'A release was moved' },
  'agent_task.queued': { resource: 'agent_task', data: TaskRecord, description: 'A task was accepted' },
  'agent_task.started': { resource: 'agent_task', data: TaskRecord, description: 'A worker started a task' },
  'agent_task.waiting': { resource: 'agent_task', data: TaskRecord, description: 'A task waits for a callback' },
  'agent_task.completed': { resource: 'agent_task', data: TaskRecord, description: 'A task ended with an answer' },
  'agent_task.failed': { resource: 'agent_task', data: TaskRecord, description: 'A task ended without an answer' },
  'agent_task.cancelled': { resource: 'agent_task', data: TaskRecord, description: 'A task was cancelled' },
});

/** The events of accounts. */
export const accountEvents = defineEvents('accounts', {
  'api_key.created': { resource: 'api_key', data: ApiKey, description: 'An API key was created' },
  'api_key.updated': { resource: 'api_key', data: ApiKey, description: 'An API key was changed' },
  'api_key.revoked': { resource: 'api_key', data: ApiKey, description: 'An API key was revoked or deleted' },
  'api_key.rotated': { resource: 'api_key', data: ApiKey, description: 'An API key was replaced' },
});

/** A recorded request that a fallback model answered. */
export class FallbackUsed extends RequestRecord {
  @Str() @Nullable() primary_model!: string | null;
}
/** A chat session when its first request was recorded. */
export class SessionOpened {
  @Str(1, 128) session_id!: string;
  @Id() @Nullable() application_id!: number | null;
  @Epoch() first_request_at!: number;
}

/** An application without its configuration, as events carry it. */
export class ApplicationRecord extends omit(Application, 'config') {}
/** An application and the changed fields of its configuration. */
export class ApplicationConfigured extends ApplicationRecord {
  @List(stringType(0, 64)) changed!: string[];
}
/** An intent without its configuration and prompt, as events carry it. */
export class IntentRecord extends omit(Intent, 'config', 'prompt') {}
/** An intent and the changed fields of its configuration. */
export class IntentConfigured extends IntentRecord {
  @List(stringType(0, 64)) changed!: string[];
}
/** An intent group without its configuration, as events carry it. */
export class IntentGroupRecord extends omit(IntentGroup, 'config') {}
/** An intent group and the changed fields of its configuration. */
export class IntentGroupConfigured extends IntentGroupRecord {
  @List(stringType(0, 64)) changed!: string[];
}

/** A tag rule without its prompt and conditions, as events carry it. */
export class TagRuleRecord extends omit(TagRule, 'prompt', 'conditions') {}

/** A sentinel without its directive and configuration, as events carry it. */
export class SentinelRecord extends omit(Sentinel, 'sentinel_directive', 'meta') {}
/** A result of a sentinel without texts, as events carry it. */
export class EvaluationRecord extends omit(EvaluationResult, 'description', 'correction') {}
/** An evaluation run without its overrides, as events carry it. */
export class EvaluationRunRecord extends omit(EvaluationRun, 'sentinel_overrides') {}
/** A recorded request and the sentinel that found its answer faulty. */
export class RequestFault extends RequestRecord {
  @Id() sentinel_id!: number;
  @Int(1, 4) severity!: number;
}

/** The events of traffic. */
export const trafficEvents = defineEvents('traffic', {
  'application.created': {
    resource: 'application',
    data: ApplicationRecord,
    description: 'An application was created',
  },
  'application.updated': {
    resource: 'application',
    data: ApplicationRecord,
    description: 'An application was changed',
  },
  'application.deleted': { resource: 'application', data: Gone, description: 'An application was deleted' },
  'application.config_updated': {
    resource: 'application',
    data: ApplicationConfigured,
    description: 'The configuration of an application was changed',
  },
  'intent.created': { resource: 'intent', data: IntentRecord, description: 'An intent was created' },
  'intent.updated': { resource: 'intent', data: IntentRecord, description: 'An intent was changed' },
  'intent.deleted': { resource: 'intent', data: Gone, description: 'An intent was deleted' },
  'intent.config_updated': {
    resource: 'intent',
    data: IntentConfigured,
    description: 'The configuration of an intent was changed',
  },
  'intent_group.created': {
    resource: 'intent_group',
    data: IntentGroupRecord,
    description: 'An intent group was created',
  },
  'intent_group.updated': {
    resource: 'intent_group',
    data: IntentGroupRecord,
    description: 'An intent group was changed',
  },
  'intent_group.deleted': { resource: 'intent_group', data: Gone, description: 'An intent group was deleted' },
  'intent_group.config_updated': {
    resource: 'intent_group',
    data: IntentGroupConfigured,
    description: 'The configuration of an intent group was changed',
  },
  'tag.created': { resource: 'tag', data: Tag, description: 'A tag was created' },
  'tag.updated': { resource: 'tag', data: Tag, description: 'A tag was changed' },
  'tag.deleted': { resource: 'tag', data: Gone, description: 'A tag was deleted' },
  'tag_rule.created': { resource: 'tag_rule', data: TagRuleRecord, description: 'A tag rule was created' },
  'tag_rule.updated': {
    resource: 'tag_rule',
    data: TagRuleRecord,
    description: 'A tag rule was changed, enabled or disabled',
  },
  'tag_rule.deleted': { resource: 'tag_rule', data: Gone, description: 'A tag rule was deleted' },
  'tag_run.completed': { resource: 'tag_run', data: TagRun, description: 'A tag run judged its requests' },
  'tag_run.failed': { resource: 'tag_run', data: TagRun, description: 'A tag run could not judge its requests' },
  'tag_run.cancelled': { resource: 'tag_run', data: TagRun, description: 'A tag run was cancelled' },
  'sentinel.created': { resource: 'sentinel', data: SentinelRecord, description: 'A sentinel was created' },
  'sentinel.updated': { resource: 'sentinel', data: SentinelRecord, description: 'A sentinel was changed' },
  'sentinel.deleted': { resource: 'sentinel', data: Gone, description: 'A sentinel was deleted' },
  'sentinel.enabled': { resource: 'sentinel', data: SentinelRecord, description: 'A sentinel was enabled' },
  'sentinel.disabled': { resource: 'sentinel', data: SentinelRecord, description: 'A sentinel was disabled' },
  'evaluation_run.created': {
    resource: 'evaluation_run',
    data: EvaluationRunRecord,
    description: 'An evaluation run was accepted',
  },
  'evaluation_run.completed': {
    resource: 'evaluation_run',
    data: EvaluationRunRecord,
    description: 'An evaluation run has judged its requests',
  },
  'evaluation_run.failed': {
    resource: 'evaluation_run',
    data: EvaluationRunRecord,
    description: 'An evaluation run could judge nothing',
  },
  'evaluation_run.cancelled': {
    resource: 'evaluation_run',
    data: EvaluationRunRecord,
    description: 'An evaluation run was cancelled',
  },
  'evaluation_result.created': {
    resource: 'evaluation_result',
    data: EvaluationRecord,
    description: 'A sentinel has judged a request',
  },
  'model.created': { resource: 'model', data: Model, description: 'A model was created' },
  'model.updated': { resource: 'model', data: Model, description: 'A model was changed' },
  'model.deleted': { resource: 'model', data: Gone, description: 'A model was deleted' },
  'model.enabled': { resource: 'model', data: Model, description: 'A model was enabled' },
  'model.disabled': { resource: 'model', data: Model, description: 'A model was disabled' },
  'model_provider.created': { resource: 'model_provider', data: Provider, description: 'A provider was created' },
  'model_provider.updated': { resource: 'model_provider', data: Provider, description: 'A provider was changed' },
  'model_provider.deleted': { resource: 'model_provider', data: Gone, description: 'A provider was deleted' },
  'request.completed': { resource: 'request', data: RequestRecord, description: 'A model answered' },
  'request.failed': { resource: 'request', data: RequestRecord, description: 'A model call failed' },
  'request.fallback_used': { resource: 'request', data: FallbackUsed, description: 'A fallback model answered' },
  'request.fault': {
    resource: 'request',
    data: RequestFault,
    description: 'A sentinel found an answer faulty, and its application or intent has notifications of faults',
  },
  'request.corrected': { resource: 'request', data: RequestRecord, description: 'A person corrected an answer' },
  'request.correction_removed': { resource: 'request', data: RequestRecord, description: 'A correction was removed' },
  'request.deleted': { resource: 'request', data: Gone, description: 'The content of a request was deleted' },
  'session.created': { resource: 'session', data: SessionOpened, description: 'A session had its first request' },
  'session.deleted': { resource: 'session', data: Gone, description: 'A session and its content were deleted' },
  'session.feedback_set': { resource: 'session', data: SessionFeedback, description: 'A session got feedback' },
});

/** A criterion without its prompt and configuration, as events carry it. */
export class CriteriaRecord extends omit(EvaluationCriteria, 'prompt', 'config') {}

/** A test run without the configuration of its consumer, as events carry it. */
export class TestRunRecord extends omit(TestRun, 'consumer_config') {}
/** A test run that was scored. */
export class TestRunScored extends TestRunRecord {
  @MapOf(intType(0)) errors_by_class!: Record<string, number>;
}
/** A test run whose failed items are executed again. */
export class TestRunReset extends TestRunRecord {
  @Count() count!: number;
  @List(stringType(1, 20)) classes!: string[];
}

/** The events of test-runs. */
export const testEvents = defineEvents('test-runs', {
  'test_set.created': { resource: 'test_set', data: TestSet, description: 'A test set was created' },
  'test_set.updated': { resource: 'test_set', data: TestSet, description: 'A test set was changed' },
  'test_set.deleted': { resource: 'test_set', data: Gone, description: 'A test set was deleted' },
  'test_set_item.added': {
    resource: 'test_set_item',
    data: TestSetItemRecord,
    description: 'An item was added to a test set',
  },
  'test_set_item.updated': { resource: 'test_set_item', data: TestSetItemRecord, description: 'An item was changed' },
  'test_set_item.deleted': { resource: 'test_set_item', data: Gone, description: 'An item was deleted' },
  'test_set_item.override_set': {
    resource: 'test_set_item',
    data: TestSetItemRecord,
    description: 'The expected output of an item was overridden',
  },
  'test_set_item.override_removed': {
    resource: 'test_set_item',
    data: TestSetItemRecord,
    description: 'The override of an expected output was removed',
  },
  'evaluation_criteria.created': {
    resource: 'evaluation_criteria',
    data: CriteriaRecord,
    description: 'A criterion was created',
  },
  'evaluation_criteria.updated': {
    resource: 'evaluation_criteria',
    data: CriteriaRecord,
    description: 'A criterion was changed, enabled or disabled',
  },
  'evaluation_criteria.deleted': {
    resource: 'evaluation_criteria',
    data: Gone,
    description: 'A criterion was deleted',
  },
  'test_run.created': { resource: 'test_run', data: TestRunRecord, description: 'A test run was created' },
  'test_run.prepared': { resource: 'test_run', data: TestRunRecord, description: 'The items of a run were adapted' },
  'test_run.started': { resource: 'test_run', data: TestRunRecord, description: 'A test run was executed' },
  'test_run.completed': { resource: 'test_run', data: TestRunRecord, description: 'All items of a run have ended' },
  'test_run.scored': { resource: 'test_run', data: TestRunScored, description: 'The items of a run were scored' },
  'test_run.reset': { resource: 'test_run', data: TestRunReset, description: 'Failed items are executed again' },
  'test_run.deleted': { resource: 'test_run', data: Gone, description: 'A test run was deleted' },
});

/** The events of monitors, sentinels and evaluations. */
export const monitorEvents = defineEvents('monitors', {
  'monitor.created': { resource: 'monitor', data: MonitorSummary, description: 'A monitor was created' },
  'monitor.updated': { resource: 'monitor', data: MonitorSummary, description: 'The draft of a monitor was changed' },
  'monitor.deleted': { resource: 'monitor', data: Gone, description: 'A monitor was deleted' },
  'monitor.activated': { resource: 'monitor', data: MonitorSummary, description: 'A monitor was activated' },
  'monitor.paused': { resource: 'monitor', data: MonitorSummary, description: 'A monitor was paused' },
  'monitor.version_published': { resource: 'monitor', data: VersionPublished, description: 'A version was published' },
  'monitor.release_moved': { resource: 'monitor', data: ReleaseMoved, description: 'A release was moved' },
  'monitor_run.completed': { resource: 'monitor_run', data: MonitorRunSummary, description: 'A source was judged' },
  'monitor_check.completed': {
    resource: 'monitor_check',
    data: CheckRunSummary,
    description: 'The items of a test set were judged by a version of a monitor',
  },
  'monitor_alert.opened': { resource: 'monitor_alert', data: MonitorAlert, description: 'An alert rule was met' },
  'monitor_alert.acknowledged': {
    resource: 'monitor_alert',
    data: MonitorAlert,
    description: 'An alert was acknowledged',
  },
  'monitor_alert.resolved': { resource: 'monitor_alert', data: MonitorAlert, description: 'An alert was resolved' },
  'monitor_target.attached': { resource: 'monitor_target', data: MonitorTarget, description: 'A target was attached' },
  'monitor_target.updated': { resource: 'monitor_target', data: MonitorTarget, description: 'A target was changed' },
  'monitor_target.detached': { resource: 'monitor_target', data: MonitorTarget, description: 'A target was detached' },
});

/** A workflow without its scripts, as events carry it. */
export class WorkflowRecord extends WorkflowSummary {}
/** A run without its bodies, as events carry it. */
export class WorkflowRunRecord extends omit(WorkflowRunSummary, 'first_message') {}

/** The events of workflows. */
export const workflowEvents = defineEvents('workflows', {
  'workflow.created': { resource: 'workflow', data: WorkflowRecord, description: 'A workflow was created' },
  'workflow.updated': {
    resource: 'workflow',
    data: WorkflowRecord,
    description: 'The draft of a workflow was changed',
  },
  'workflow.deleted': { resource: 'workflow', data: Gone, description: 'A workflow was deleted' },
  'workflow.enabled': { resource: 'workflow', data: WorkflowRecord, description: 'A workflow was enabled' },
  'workflow.disabled': { resource: 'workflow', data: WorkflowRecord, description: 'A workflow was disabled' },
  'workflow.version_published': {
    resource: 'workflow',
    data: VersionPublished,
    description: 'A version was published',
  },
  'workflow.release_moved': { resource: 'workflow', data: ReleaseMoved, description: 'A release was moved' },
  'workflow_run.queued': { resource: 'workflow_run', data: WorkflowRunRecord, description: 'A run was accepted' },
  'workflow_run.started': { resource: 'workflow_run', data: WorkflowRunRecord, description: 'A worker started a run' },
  'workflow_run.completed': {
    resource: 'workflow_run',
    data: WorkflowRunRecord,
    description: 'A run ended with an output',
  },
  'workflow_run.failed': {
    resource: 'workflow_run',
    data: WorkflowRunRecord,
    description: 'A run ended without an output',
  },
  'workflow_run.timed_out': {
    resource: 'workflow_run',
    data: WorkflowRunRecord,
    description: 'A run was stopped at its time limit',
  },
  'workflow_run.cancelled': { resource: 'workflow_run', data: WorkflowRunRecord, description: 'A run was cancelled' },
});

/** A dataset that has further rows. */
export class RequestsAdded extends Dataset {
  @Count() count!: number;
}

/** An augmentation without its instructions, as events carry it. */
export class AugmentationRecord extends omit(Augmentation, 'schema') {}
/** A finetune run that has made a model. */
export class FinetuneRunCompleted extends FinetuneRun {
  @Str() model_name!: string;
}

/** The events of training. */
export const trainingEvents = defineEvents('training', {
  'dataset.created': { resource: 'dataset', data: Dataset, description: 'A dataset was created' },
  'dataset.updated': { resource: 'dataset', data: Dataset, description: 'A dataset or one of its rows was changed' },
  'dataset.deleted': { resource: 'dataset', data: Gone, description: 'A dataset was deleted' },
  'dataset.requests_added': {
    resource: 'dataset',
    data: RequestsAdded,
    description: 'Rows were added to a dataset',
  },
  'augmentation.completed': {
    resource: 'augmentation',
    data: AugmentationRecord,
    description: 'A model has extended a dataset',
  },
  'augmentation.failed': {
    resource: 'augmentation',
    data: AugmentationRecord,
    description: 'A model could not extend a dataset',
  },
  'composition.created': { resource: 'composition', data: Composition, description: 'A composition was created' },
  'composition.updated': { resource: 'composition', data: Composition, description: 'A composition was changed' },
  'composition.deleted': { resource: 'composition', data: Gone, description: 'A composition was deleted' },
  'finetune_run.created': { resource: 'finetune_run', data: FinetuneRun, description: 'A finetune run was created' },
  'finetune_run.started': { resource: 'finetune_run', data: FinetuneRun, description: 'The provider trains a model' },
  'finetune_run.progress': { resource: 'finetune_run', data: FinetuneRun, description: 'A finetune run advanced' },
  'finetune_run.completed': {
    resource: 'finetune_run',
    data: FinetuneRunCompleted,
    description: 'A finetune run has made a model',
  },
  'finetune_run.failed': { resource: 'finetune_run', data: FinetuneRun, description: 'A finetune run failed' },
  'finetune_run.cancelled': {
    resource: 'finetune_run',
    data: FinetuneRun,
    description: 'A finetune run was cancelled',
  },
});

/** Every declared event with the data it carries, by name. */
export type DeclaredEvents = PayloadsOf<typeof accountEvents> &
  PayloadsOf<typeof agentEvents> &
  PayloadsOf<typeof testEvents> &
  PayloadsOf<typeof trainingEvents> &
  PayloadsOf<typeof trafficEvents> &
  PayloadsOf<typeof monitorEvents> &
  PayloadsOf<typeof workflowEvents>;

/** A declared event that a rule emits; its data is the record after the change plus `extra`. */
export interface EmittedEvent {
  event: keyof DeclaredEvents;
  extra?: object;
}

/** Names the event that a rule emits; a wrong name or wrong extra data does not compile. */
export const emits = <Name extends keyof DeclaredEvents>(
  event: Name,
  extra?: Partial<DeclaredEvents[Name]>,
): EmittedEvent => (extra === undefined ? { event } : { event, extra });
