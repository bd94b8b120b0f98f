import { Serves } from '@signalbox/bus';
import { TextTests } from '@signalbox/conditions';
import { type Batch, type CallTo, emits, type Handlers, tagRules } from '@signalbox/contracts';
import { AutoTaggedCompanies } from '../../watched-companies/index.js';
import { newTagRule, patternsOf, switchTagRule, updateTagRule } from './tag-rule.js';
import { TagPreviews } from './tag-previews.js';
import { TagRules } from './tag-rules.repository.js';

type C = typeof tagRules;

@Serves(tagRules)
export class TagRuleHandlers implements Handlers<C> {
  constructor(
    private readonly rules: TagRules,
    private readonly tests: TextTests,
    private readonly companies: AutoTaggedCompanies,
    private readonly previews: TagPreviews,
  ) {}

  listTagRules({ input, caller }: CallTo<C, 'listTagRules'>) {
    return this.rules.listBy(caller.companyId, input);
  }

  async createTagRule({ input, caller }: CallTo<C, 'createTagRule'>) {
    const rule = newTagRule(input);
    await this.tests.requirePatterns(caller.companyId, patternsOf(rule.conditions));
    const created = await this.rules.create(caller, rule, [emits('tag_rule.created')], async (tx) => {
      await this.rules.requireReferences(tx, rule);
      await this.rules.requireCapacity(tx);
    });
    this.companies.changed(caller.companyId);
    return created;
  }

  getTagRule({ keys }: Batch) {
    return this.rules.read(keys);
  }

  async updateTagRule({ input: { rule_id, ...change }, caller }: CallTo<C, 'updateTagRule'>) {
    const patterns = patternsOf(change.conditions);
    // First, so that an unknown rule is 404 whatever the patterns are.
    if (patterns.length > 0) await this.rules.get(caller.companyId, rule_id);
    await this.tests.requirePatterns(caller.companyId, patterns);
    const changed = await this.rules.change(
      caller,
      rule_id,
      (row) => updateTagRule(row, change),
      (tx) => this.rules.requireReferences(tx, change),
    );
    this.companies.changed(caller.companyId);
    return changed;
  }

  deleteTagRule({ input, caller }: CallTo<C, 'deleteTagRule'>) {
    return this.rules.remove(caller, input.rule_id, () => ({ events: [emits('tag_rule.deleted')] }));
  }

  async enableTagRule({ input, caller }: CallTo<C, 'enableTagRule'>) {
    const enabled = await this.rules.change(caller, input.rule_id, (row) => switchTagRule(row, true));
    this.companies.changed(caller.companyId);
    return enabled;
  }

  disableTagRule({ input, caller }: CallTo<C, 'disableTagRule'>) {
    return this.rules.change(caller, input.rule_id, (row) => switchTagRule(row, false));
  }

  async previewTagRule({
    input: { rule_id, request_id, limit, ...filter },
    caller,
    signal,
  }: CallTo<C, 'previewTagRule'>) {
    const rule = await this.rules.one(caller.companyId, rule_id);
    return request_id === undefined
      ? this.previews.ofFilter(caller, rule, filter, limit, signal)
      : this.previews.ofRequest(caller, rule, request_id, signal);
  }
}
