import { createClient, type Signalbox } from '@signalbox/sdk';

/** A key header would take precedence over the session cookie. */
const withCookie =
  (written: () => void): typeof fetch =>
  async (input, init = {}) => {
    const headers = new Headers(init.headers);
    headers.delete('x-service-api-key');
    const response = await fetch(input, { ...init, headers, credentials: 'same-origin' });
    if (response.ok && (init.method ?? 'GET') !== 'GET') written();
    return response;
  };

/** `written` is called after each call that may have changed something. */
export const clientOf = (companyId: number, written: () => void): Signalbox =>
  createClient({
    apiKey: '',
    baseUrl: `${location.origin}/c/${companyId}/api/v1`,
    fetch: withCookie(written),
    maxRetries: 1,
  });
