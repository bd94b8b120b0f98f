import {
  ApiError,
  type Detail,
  type Endpoint,
  fieldsOf,
  fromText,
  hasBody,
  invalid,
  acceptsBody,
  parse,
  pathParameters,
  type UnknownField,
} from '@signalbox/contracts';

/** Parameters of path or query by name; a query parameter given several times is a list. */
export type Texts = Record<string, string | string[]>;

const MAX_QUERY_PARAMETERS = 100;

/** Throws 400; called before the query is parsed. */
export function requireFewParameters(url: string): void {
  let count = 1;
  for (let at = url.indexOf('&'); at >= 0; at = url.indexOf('&', at + 1))
    if (++count > MAX_QUERY_PARAMETERS)
      throw new ApiError('invalid', `a query must not have more than ${MAX_QUERY_PARAMETERS} parameters`);
}

const bodyNotObject = (): ApiError => new ApiError('invalid', 'the body must be a JSON object');

/** Merges path, query and body into one validated input. */
export class InputReader {
  private readonly path: string[];
  private readonly lists: Set<string>;
  private readonly withBody: boolean;
  private readonly acceptsBody: boolean;

  constructor(
    private readonly endpoint: Endpoint,
    private readonly unknownField?: UnknownField,
  ) {
    const fields = [...fieldsOf(endpoint.input).values()];
    this.path = pathParameters(endpoint.path);
    this.lists = new Set(fields.filter(({ type }) => type.schema().type === 'array').map(({ name }) => name));
    this.withBody = hasBody(endpoint);
    this.acceptsBody = acceptsBody(endpoint);
  }

  /** Throws 400 naming every wrong field. */
  read(path: Texts, query: Texts, body: unknown): object {
    const names = Object.keys(query);
    // A path parameter repeated in the query or body is refused as unknown, rather than ignored.
    const unknown = names.filter((name) => this.withBody || this.path.includes(name) || !this.has(name));
    if (unknown.length > 0) throw unknownNames(unknown, 'is not a known query parameter');
    const { bodyField } = this.endpoint;
    if (bodyField && body === undefined) throw new ApiError('invalid', 'the body is empty: it must be JSON');
    const input = bodyField ? { [bodyField]: body } : this.withQuery(query, names, body);
    for (const name of this.path) input[name] = fromText(this.endpoint.input, name, path[name] ?? '');
    return parse(this.endpoint.input, input, '', this.unknownField);
  }

  private withQuery(query: Texts, names: string[], body: unknown): Record<string, unknown> {
    if (this.withBody) return this.ofBody(body);
    const input = this.ofQuery(names, query);
    return this.acceptsBody ? { ...input, ...this.ofBody(body ?? undefined) } : input;
  }

  private has(name: string): boolean {
    return fieldsOf(this.endpoint.input).has(name);
  }

  private ofQuery(names: string[], query: Texts): Record<string, unknown> {
    const input: Record<string, unknown> = {};
    for (const name of names) {
      const text = query[name] ?? '';
      // A single value given twice stays a list, which its type refuses.
      input[name] = Array.isArray(text) && !this.lists.has(name) ? text : fromText(this.endpoint.input, name, text);
    }
    return input;
  }

  private ofBody(body: unknown): Record<string, unknown> {
    if (body === undefined) return {};
    if (typeof body !== 'object' || body === null || Array.isArray(body)) throw bodyNotObject();
    // Without path parameters nothing is added to the body, so it needs no copy.
    if (this.path.length === 0) return body as Record<string, unknown>;
    const repeated = this.path.filter((name) => Object.hasOwn(body, name));
    if (repeated.length > 0) throw unknownNames(repeated, 'is not a known field');
    return { ...body };
  }
}

const unknownNames = (names: string[], message: string): ApiError =>
  invalid(names.slice(0, 50).map((name): Detail => ({ field: name.slice(0, 200), message })));
