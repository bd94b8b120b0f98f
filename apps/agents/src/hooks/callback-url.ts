import type { WebhookActionConfig } from '@signalbox/contracts';

const PLACEHOLDER = /\{\{\s*callback_url\s*\}\}/g;

/** The URL is inserted before the arguments, so that a placeholder in a model's text stays text. */
export function withCallbackUrl(config: WebhookActionConfig, url: string): WebhookActionConfig {
  const fill = (text: string): string => text.replace(PLACEHOLDER, url);
  const [path = '', ...query] = config.endpoint.split('?');
  const inUrl = query.map((part) => part.replace(PLACEHOLDER, encodeURIComponent(url)));
  return {
    ...config,
    endpoint: [path, ...inUrl].join('?'),
    query: fillAll(config.query, fill),
    headers: fillAll(config.headers, fill),
    body: fillIn(config.body, fill),
  };
}

const fillAll = (texts: Record<string, string>, fill: (text: string) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, fill(text)]));

function fillIn(value: unknown, fill: (text: string) => string): unknown {
  if (typeof value === 'string') return fill(value);
  if (Array.isArray(value)) return value.map((item) => fillIn(item, fill));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, fillIn(child, fill)]));
}
