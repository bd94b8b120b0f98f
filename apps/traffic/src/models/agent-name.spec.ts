import { agentNameOf } from './agent-name.js';

describe('the name of an agent in the model of a call', () => {
  it.each([
    ['gpt-x', null],
    ['agent:7', { idOrName: '7' }],
    ['agent:Front desk', { idOrName: 'Front desk' }],
    ['agent:7@1.2.3', { idOrName: '7', version: '1.2.3' }],
    ['agent:me@home@live', { idOrName: 'me@home', release: 'live' }],
  ])('reads %s', (model, expected) => expect(agentNameOf(model)).toEqual(expected));
});
