import { ObjectDeletionRow } from '@signalbox/database';
import { SecretHolderRow } from '@signalbox/runs';
import { ActivityRow } from './activity/activity.entity.js';
import {
  RequestRollupRow,
  RequestSeriesRow,
  RollupChangeRow,
  SessionPlaceRow,
  WanderingPlaceRow,
} from './analytics/tables/rollup.entity.js';
import { ApplicationRow } from './applications/application.entity.js';
import { EvaluationResultRow } from './judging/evaluation-result.entity.js';
import {
  EvaluationRunEventRow,
  EvaluationRunRow,
  EvaluationRunTimelineRow,
} from './request-runs/evaluations/evaluation-run.entity.js';
import { IntentGroupRow } from './intent-groups/intent-group.entity.js';
import { IntentRow } from './intents/intent.entity.js';
import { ModelRow } from './models/model.entity.js';
import { OtelRecordRow, OtelTraceRow } from './otel/otel-trace.entity.js';
import { ObjectSweepRow } from './payload-offload/object-sweep.entity.js';
import { RequestObjectRow } from './payload-offload/offloaded-object.entity.js';
import { ProviderRow } from './providers/provider.entity.js';
import { RequestRow } from './request-records/request.entity.js';
import { SentinelRow } from './judging/sentinel.entity.js';
import { SessionRow } from './sessions/session.entity.js';
import { TagRuleRow } from './tags/rules/tag-rule.entity.js';
import { TagRunEventRow, TagRunRow, TagRunTimelineRow } from './request-runs/tags/tag-run.entity.js';
import { RequestTagRow, TagRow } from './tags/tag.entity.js';

export const ENTITIES = [
  ApplicationRow,
  IntentGroupRow,
  IntentRow,
  ProviderRow,
  ModelRow,
  RequestRow,
  RequestObjectRow,
  ObjectSweepRow,
  ObjectDeletionRow,
  SessionRow,
  ActivityRow,
  RollupChangeRow,
  RequestRollupRow,
  RequestSeriesRow,
  SessionPlaceRow,
  WanderingPlaceRow,
  TagRow,
  RequestTagRow,
  TagRuleRow,
  TagRunRow,
  TagRunEventRow,
  TagRunTimelineRow,
  SentinelRow,
  EvaluationResultRow,
  EvaluationRunRow,
  EvaluationRunEventRow,
  EvaluationRunTimelineRow,
  OtelTraceRow,
  OtelRecordRow,
  SecretHolderRow,
];
