export { RuleTooCostlyError } from './costly-rule.js';
export { Router } from './router.js';
export { RoutingRuleRow } from './routing-rule.entity.js';
export { RoutingModule } from './routing.module.js';
export { checkRule, actionIdMap, remapRoute, patternsOf } from './rule.js';
export { RoutingRules } from './rules.repository.js';
