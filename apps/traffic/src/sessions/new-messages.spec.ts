import { newMessagesIn } from './new-messages.js';

const said = (...roles: string[]) => roles.map((role) => ({ role, content: 'x' }));

it.each([
  [[], 0],
  [['user'], 1],
  [['system', 'user'], 2],
  [['user', 'assistant'], 0],
  [['system', 'user', 'assistant', 'tool', 'user'], 2],
])('of the messages %j the last %i are new', (roles, count) => expect(newMessagesIn(said(...roles))).toBe(count));
