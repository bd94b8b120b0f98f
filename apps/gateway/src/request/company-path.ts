import type { IncomingMessage } from 'node:http';

const COMPANY_API = /^\/c\/([1-9]\d{0,9})(\/api\/v1(?:[/?].*)?)$/s;

const companies = new WeakMap<IncomingMessage, number>();

/**
 * The URL that is routed: below `/c/{company_id}/api/v1` the whole API is served to browsers that are signed in to that
 * company, so that sessions of several companies exist next to each other, each with the path of its cookie.
 */
export function routedUrl(request: IncomingMessage): string {
  const url = request.url ?? '/';
  const [, company, rest] = COMPANY_API.exec(url) ?? [];
  if (company === undefined || rest === undefined) return url;
  companies.set(request, Number(company));
  return rest;
}

/** The company in the address of a request; null outside of `/c/{company_id}/api/v1`. */
export const companyInPath = (request: IncomingMessage): number | null => companies.get(request) ?? null;
