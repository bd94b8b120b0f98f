import { type Arguments, fillText, placeholdersIn, textOfArgument } from './template.js';

export interface UrlTemplate {
  base_url?: string | null;
  endpoint: string;
  query: Readonly<Record<string, string>>;
}

/** Arguments would redirect the call; the message is for the model. */
export class UrlRefused extends Error {}

const ORIGIN = /^(https?:\/\/[^/?#\\]*)(.*)$/is;
const DOTS = /^(\.|%2e){1,2}$/i;

function absolute({ base_url: own, endpoint }: UrlTemplate, agentBase: string | null | undefined): string {
  if (ORIGIN.test(endpoint)) return endpoint;
  const base = own ?? agentBase;
  if (!base) throw new UrlRefused('the endpoint is relative and neither the action nor the agent has a base_url');
  return `${base.replace(/\/+$/, '')}/${endpoint.replace(/^\/+/, '')}`;
}

/**
 * Arguments fill single components of path and query, percent-encoded; scheme, host and port come from the stored
 * configuration alone, which is checked on the result.
 */
export function buildUrl(
  template: UrlTemplate,
  agentBase: string | null | undefined,
  given: Arguments,
  known: readonly string[],
): URL {
  const [, origin = '', rest = ''] = ORIGIN.exec(absolute(template, agentBase)) ?? [];
  if (origin === '' || /[{}]/.test(origin)) throw new UrlRefused('scheme, host and port of an endpoint must be fixed');
  const [path = '', queryText = ''] = splitAt(rest, '?');
  const filled = filledPath(path, given, known);
  const query = fillText(queryText, given, known, encodeURIComponent);
  const text = `${origin}${filled}${query ? `?${query}` : ''}`;
  if (!URL.canParse(text)) throw new UrlRefused('the endpoint is not a valid URL');
  const url = new URL(text);
  addQuery(url, template.query, given, known);
  if (url.origin !== new URL(`${origin}/`).origin) throw new UrlRefused('arguments may not change where a call goes');
  return url;
}

function splitAt(text: string, mark: string): [string, string] {
  const bare = text.split('#', 1)[0] ?? '';
  const at = bare.indexOf(mark);
  return at < 0 ? [bare, ''] : [bare.slice(0, at), bare.slice(at + 1)];
}

function filledPath(path: string, given: Arguments, known: readonly string[]): string {
  for (const name of placeholdersIn(path)) {
    if (textOfArgument(Object.hasOwn(given, name) ? given[name] : undefined) === '')
      throw new UrlRefused(`argument ${name} is missing: the path of the endpoint needs it`);
  }
  const stored = path.split('/');
  const segments = stored.map((segment) => fillText(segment, given, known, encodeURIComponent));
  // Percent-encoding keeps dots, which would be relative path segments.
  const isRelative = segments.some((segment, index) => DOTS.test(segment) && segment !== stored[index]);
  if (isRelative) throw new UrlRefused('an argument may not be a relative part of the path');
  return segments.join('/');
}

function addQuery(url: URL, query: UrlTemplate['query'], given: Arguments, known: readonly string[]): void {
  for (const [name, template] of Object.entries(query)) {
    const names = placeholdersIn(template);
    const isAbsent = names.length > 0 && template === `{${names[0]}}` && !Object.hasOwn(given, names[0] ?? '');
    if (isAbsent && known.includes(names[0] ?? '')) continue;
    url.searchParams.append(name, fillText(template, given, known));
  }
}
