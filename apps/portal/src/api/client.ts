import { createClient, type Signalbox } from '@signalbox/sdk';

/** The cookie of the session speaks for the user; a key header would take precedence over it. */
const withCookie: typeof fetch = (input, init = {}) => {
  const headers = new Headers(init.headers);
  headers.delete('x-service-api-key');
  return fetch(input, { ...init, headers, credentials: 'same-origin' });
};

/** The API of the company in the address. */
export const clientOf = (companyId: number): Signalbox =>
  createClient({
    apiKey: '',
    baseUrl: `${location.origin}/c/${companyId}/api/v1`,
    fetch: withCookie,
    maxRetries: 1,
  });
