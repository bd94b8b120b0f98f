import type { AllowList } from './allow-list.js';
import type { EgressTarget } from '../egress-request.js';
import { renderHeaders } from '../request-headers.js';
import { Scrubber } from '../secrets/scrubber.js';
import { checkTarget } from './target.js';

const MAX_REDIRECTS = 3;
const NOTHING_SECRET = new Scrubber([]);

export class Destination {
  readonly url: URL;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly sensitive: ReadonlySet<string>;
  readonly scrubber: Scrubber;
  readonly maxRedirects: number;

  constructor(
    target: EgressTarget,
    readonly allow: AllowList,
  ) {
    this.url = checkTarget(target.url, allow);
    this.method = target.method.toUpperCase();
    const { headers, sensitive, values } = renderHeaders(target.headers ?? {}, target.basicAuth, target.secrets);
    for (const name of target.sensitiveHeaders ?? []) sensitive.add(name.toLowerCase());
    this.headers = headers;
    this.sensitive = sensitive;
    this.scrubber = target.secrets?.scrubber(values) ?? (values.length > 0 ? new Scrubber(values) : NOTHING_SECRET);
    this.maxRedirects = target.maxRedirects ?? MAX_REDIRECTS;
  }
}
