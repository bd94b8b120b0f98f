import { isSensitiveHeader, SecretBag } from '@signalbox/egress';

/** Replaces keys by placeholders, so that the egress client expands them last and scrubs them from every response. */
export function withSecrets(apiKey: string | null | undefined, headers: Record<string, string> = {}) {
  const values: Record<string, string> = {};
  const templates: Record<string, string> = { 'content-type': 'application/json', accept: 'application/json' };
  const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  for (const [index, [name, value]] of given.entries()) {
    // A literal `{{secrets.X}}` in a stored header is not a reference: it is sent unchanged.
    const hidden = isSensitiveHeader(name) || value.includes('{{');
    if (hidden) values[`HEADER_${index}`] = value;
    templates[name] = hidden ? `{{secrets.HEADER_${index}}}` : value;
  }
  if (apiKey) {
    values['API_KEY'] = apiKey;
    templates['authorization'] = 'Bearer {{secrets.API_KEY}}';
  }
  return { headers: templates, secrets: new SecretBag(values) };
}
