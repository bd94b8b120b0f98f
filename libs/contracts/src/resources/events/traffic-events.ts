import { defineEvents } from '../../events.js';
import { stringType } from '../../fields/field-types.js';
import { Epoch, Id, Int, List, Nullable, Str, omit } from '../../fields/fields.js';
import { Application } from '../applications.js';
import { RecordedRequest } from '../chat/recorded-requests.js';
import { SessionFeedback } from '../chat/session-feedback.js';
import { EvaluationResult } from '../evaluations/evaluation-results.js';
import { EvaluationRun } from '../evaluations/evaluations.js';
import { Sentinel } from '../evaluations/sentinels.js';
import { IntentGroup } from '../intent-groups.js';
import { Intent } from '../intents.js';
import { Model } from '../models.js';
import { Provider } from '../providers.js';
import { TagRule } from '../tags/tag-rules.js';
import { TagRun } from '../tags/tag-runs.js';
import { Tag } from '../tags/tags.js';
import { Gone } from './event-data.js';

export class RequestRecord extends omit(RecordedRequest, 'params', 'response', 'corrected_response') {}

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

export class ApplicationRecord extends omit(Application, 'config') {}

export class ApplicationConfigured extends ApplicationRecord {
  @List(stringType(0, 64)) changed!: string[];
}

export class IntentRecord extends omit(Intent, 'config', 'prompt') {}

export class IntentConfigured extends IntentRecord {
  @List(stringType(0, 64)) changed!: string[];
}

export class IntentGroupRecord extends omit(IntentGroup, 'config') {}

export class IntentGroupConfigured extends IntentGroupRecord {
  @List(stringType(0, 64)) changed!: string[];
}

export class TagRuleRecord extends omit(TagRule, 'prompt', 'conditions') {}

export class SentinelRecord extends omit(Sentinel, 'sentinel_directive', 'meta') {}

export class EvaluationRecord extends omit(EvaluationResult, 'description', 'correction') {}

export class EvaluationRunRecord extends omit(EvaluationRun, 'sentinel_overrides') {}

/** A recorded request and the sentinel that found its answer faulty. */
export class RequestFault extends RequestRecord {
  @Id() sentinel_id!: number;
  @Int(1, 4) severity!: number;
}

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
