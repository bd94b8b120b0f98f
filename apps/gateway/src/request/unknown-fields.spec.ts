import { agents, apiKeys, applications } from '@signalbox/contracts';
import { unknownFieldOf } from './unknown-fields.js';

describe('a field that an input does not have', () => {
  const { createApplication, updateApplication } = applications.endpoints;
  const { createApiKey } = apiKeys.endpoints;

  it.each([
    ['of a creation that the reply shows', createApplication, applications, 'date_created', 'is read-only'],
    ['of a change that the reply shows', updateApplication, applications, 'id', 'is read-only'],
    [
      'of a change that only a creation takes',
      agents.endpoints.updateAgent,
      agents,
      'application_id',
      'cannot be changed',
    ],
    ['of a key that the server sets', createApiKey, apiKeys, 'last4', 'is read-only'],
    ['that is unknown', updateApplication, applications, 'colour', undefined],
    ['whose name is a property of every object', updateApplication, applications, 'toString', undefined],
  ] as const)('%s', (_says, endpoint, contract, name, message) => {
    expect(unknownFieldOf(endpoint, contract as never)(name)).toBe(message);
  });
});
