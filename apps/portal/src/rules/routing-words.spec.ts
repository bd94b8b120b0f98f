import { conditionWords, routeWords } from './routing-words.js';

const NAMES = { agents: new Map([[1, 'Refunds']]), actions: new Map([[2, 'find_order']]) };

describe('a routing rule in words', () => {
  it('says when it applies', () => {
    expect(conditionWords({ target_type: 'message', operator: 'contains', value: 'refund' })).toBe(
      'the message contains «refund»',
    );
    expect(conditionWords({ target_type: 'state', variable_path: 'order.id', operator: 'is_null' })).toBe(
      'state order.id is empty',
    );
    expect(conditionWords({ target_type: 'state', variable_path: 'n', operator: 'gt', value: 3 })).toBe(
      'state n is greater than «3»',
    );
  });

  it('says where it leads, by name or by id', () => {
    expect(routeWords({ type: 'agent', agent_id: 1 }, NAMES)).toBe('Refunds answers');
    expect(routeWords({ type: 'agent', agent_id: 9 }, NAMES)).toBe('agent 9 answers');
    expect(routeWords({ type: 'action', action_id: 2 }, NAMES)).toBe('find_order runs');
    expect(routeWords({ type: 'llm' }, NAMES)).toBe('the agent thinks by itself');
    expect(routeWords({ type: 'none' }, NAMES)).toBe('nothing happens');
  });
});
