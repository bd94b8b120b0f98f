import type { Tag, TagRule, TagsCreateRuleInput, TagsUpdateRuleInput } from '@signalbox/sdk';
import { Link, useLocation } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import type { Declaration, SectionProps } from '../../declared/declaration.js';
import { detailPage, listPage } from '../../declared/pages.js';
import { Empty } from '../../parts/empty.js';
import { JsonView } from '../../parts/json-view.js';
import { Lamp } from '../../parts/lamp.js';
import { type Column, Rows } from '../../parts/rows.js';
import { choiceOf, SEARCH } from './fields.js';
import { NewTagRun } from './new-tag-run.js';
import { RulePreview } from './rule-preview.js';
import { Name, NamedLink } from './name.js';

const columns: Column<TagRule>[] = [
  { title: 'Rule', width: '2fr', cell: ({ rule_name }) => rule_name },
  { title: 'Tag', width: '1fr', cell: ({ tag_id }) => <Name of="tags" id={tag_id} /> },
  { title: 'By', width: '110px', cell: ({ method }) => (method === 'LLM' ? 'a model' : 'conditions') },
  { title: 'New requests', width: '110px', cell: ({ apply_to_new }) => (apply_to_new ? 'at once' : 'in runs only') },
  { title: 'State', width: '110px', cell: ({ enabled }) => <Lamp state={enabled ? 'ENABLED' : 'DISABLED'} /> },
];
const fields = {
  rule_name: { type: 'string', title: 'Name', maxLength: 200 },
  tag_id: { type: 'integer', title: 'Tag' },
  method: {
    type: 'string',
    title: 'Decided by',
    enum: ['CONDITIONS', 'LLM'],
    enumNames: ['conditions', 'a model'],
    default: 'CONDITIONS',
  },
  conditions: {
    type: 'object',
    title: 'Conditions',
    description: 'Paths into a request, for a rule that is decided by conditions.',
    default: {
      kind: 'group',
      op: 'AND',
      children: [{ kind: 'condition', source: 'text', operator: 'contains', value: 'refund' }],
    },
  },
  prompt: {
    type: 'string',
    format: 'textarea',
    title: 'Which requests get the tag',
    description: 'For a rule that is decided by a model.',
  },
  application_id: { type: 'integer', title: 'Only of the application' },
  intent_group_id: { type: 'integer', title: 'Only of the intent group' },
  apply_to_new: { type: 'boolean', title: 'New requests are tagged when they are recorded', default: true },
};
const options = { tag_id: 'tags', application_id: 'applications', intent_group_id: 'intentGroups' } as const;

function Definition({ item }: SectionProps<TagRule>) {
  return item.method === 'LLM' ? (
    <JsonView label="Which requests get the tag" value={item.prompt} />
  ) : (
    <JsonView label="Conditions" value={item.conditions} />
  );
}

const RULES: Declaration<TagRule, TagsCreateRuleInput, Omit<TagsUpdateRuleInput, 'rule_id'>> = {
  title: 'Tag rules',
  noun: 'tag rule',
  about: 'A rule gives requests a tag: those that fit its conditions, or of which a model says so.',
  path: () => '/tag-rules',
  idOf: ({ id }) => id,
  nameOf: ({ rule_name }) => rule_name,
  columns,
  filters: [
    SEARCH,
    { name: 'tag_id', label: 'Tag', kind: 'names', of: 'tags', isMain: true },
    choiceOf('enabled', 'Enabled', ['true', 'false']),
  ],
  list: (api, input, _ids, signal) => api.tags.listRules(input, { signal }),
  get: (api, { id: rule_id = 0 }, signal) => api.tags.getRule({ rule_id }, { signal }),
  facts: (item) => [
    ['State', <Lamp state={item.enabled ? 'ENABLED' : 'DISABLED'} />],
    ['Tag', <NamedLink of="tags" id={item.tag_id} />],
    ['Decided by', item.method === 'LLM' ? 'a model' : 'conditions'],
    ['Application', item.application_id === null ? 'any' : <Name of="applications" id={item.application_id} />],
    ['Intent group', item.intent_group_id === null ? 'any' : <Name of="intentGroups" id={item.intent_group_id} />],
    ['New requests', item.apply_to_new ? 'tagged at once' : 'only in runs'],
  ],
  make: {
    scope: 'write',
    required: ['rule_name', 'tag_id'],
    fields,
    options,
    submit: (api, { conditions, prompt, ...value }) =>
      api.tags.createRule(
        value.method === 'LLM' ? { ...value, prompt: prompt ?? null } : { ...value, conditions: conditions ?? null },
      ),
  },
  edit: {
    scope: 'write',
    required: ['rule_name', 'tag_id'],
    fields,
    options,
    submit: (api, { id: rule_id }, change) => api.tags.updateRule({ rule_id, ...change }),
  },
  remove: {
    scope: 'write',
    says: 'The tags that it has given stay.',
    act: (api, { id: rule_id }) => api.tags.deleteRule({ rule_id }),
  },
  actions: [
    { label: 'Apply to recorded requests', scope: 'invoke', dialog: NewTagRun },
    {
      label: 'Disable',
      scope: 'write',
      isShown: ({ enabled }) => enabled,
      act: (api, { id: rule_id }) => api.tags.disableRule({ rule_id }),
      said: 'New requests are no longer tagged by it.',
    },
    {
      label: 'Enable',
      scope: 'write',
      isShown: ({ enabled }) => !enabled,
      act: (api, { id: rule_id }) => api.tags.enableRule({ rule_id }),
      said: 'New requests are tagged by it.',
    },
  ],
  sections: { Preview: RulePreview, Definition },
};

export function RulesOfTag({ item: { id: tag_id } }: SectionProps<Tag>) {
  const { api } = usePortal();
  const [, go] = useLocation();
  return (
    <Rows<TagRule>
      label="Rules of the tag"
      name={['Tag rules', { tag_id }]}
      columns={columns}
      load={(offset, limit, signal) => api.tags.listRules({ tag_id, offset, limit }, { signal })}
      open={({ id }) => go(`/tag-rules/${id}`)}
      empty={
        <Empty title="No rule gives this tag: it is given by hand.">
          <Link href="/tag-rules">Tag rules</Link>
        </Empty>
      }
    />
  );
}

export const TagRules = listPage(RULES);
export const TagRulePage = detailPage(RULES);
