import { defineEvents } from '../../events.js';
import { ApiKey } from '../accounts/api-keys.js';

export const accountEvents = defineEvents('accounts', {
  'api_key.created': { resource: 'api_key', data: ApiKey, description: 'An API key was created' },
  'api_key.updated': { resource: 'api_key', data: ApiKey, description: 'An API key was changed' },
  'api_key.revoked': { resource: 'api_key', data: ApiKey, description: 'An API key was revoked or deleted' },
  'api_key.rotated': { resource: 'api_key', data: ApiKey, description: 'An API key was replaced' },
});
