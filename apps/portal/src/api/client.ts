import { createClient, type Signalbox } from '@signalbox/sdk';

/** A key header would take precedence over the session cookie. */
const withCookie: typeof fetch = (input, init = {}) => {
  const headers = new Headers(init.headers);
  headers.delete('x-service-api-key');
  return fetch(input, { ...init, headers, credentials: 'same-origin' });
};

export const clientOf = (companyId: number): Signalbox =>
  createClient({
    apiKey: '',
    baseUrl: `${location.origin}/c/${companyId}/api/v1`,
    fetch: withCookie,
    maxRetries: 1,
  });
