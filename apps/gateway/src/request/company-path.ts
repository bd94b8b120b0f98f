import type { IncomingMessage } from 'node:http';

const COMPANY_API = /^\/c\/([1-9]\d{0,9})(\/api\/v1(?:[/?].*)?)$/s;

const companies = new WeakMap<IncomingMessage, number>();

/**
 * The API is also served below `/c/{company_id}/api/v1`, to browsers that are signed in to that company: sessions of
 * several companies coexist, because the path of each cookie is that of its company.
 */
export function routedUrl(request: IncomingMessage): string {
  const url = request.url ?? '/';
  const [, company, rest] = COMPANY_API.exec(url) ?? [];
  if (company === undefined || rest === undefined) return url;
  companies.set(request, Number(company));
  return rest;
}

/** Null outside of `/c/{company_id}/api/v1`. */
export const companyInPath = (request: IncomingMessage): number | null => companies.get(request) ?? null;
