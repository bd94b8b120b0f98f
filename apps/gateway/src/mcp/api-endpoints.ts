import {
  ApiError,
  type Contract,
  type Endpoint,
  invalidField,
  notFound,
  pathParameters,
  type Scope,
} from '@signalbox/contracts';
import { PathTable, PREFIX, type RouteDefinition, routeDefinitionsOf, type Texts } from '../request/index.js';

export interface NamedEndpoint {
  route: RouteDefinition;
  path: Texts;
  query: Texts;
}

const SCOPES: readonly Endpoint['scope'][] = ['any', 'read', 'write', 'invoke'];

/** Tools take and return plain JSON: no streams, files or OpenAI protocol. */
function isForTools({ scope, output, upload, chunked, follow, protocol, form, bodyField }: Endpoint): boolean {
  const special = upload ?? chunked ?? follow ?? protocol ?? form ?? bodyField;
  const isContent = 'kind' in output && !['page', 'list'].includes(output.kind);
  return SCOPES.includes(scope) && special === undefined && !isContent;
}

export class ApiEndpoints {
  private readonly routes: RouteDefinition[];
  private readonly table: PathTable;

  constructor(contracts: readonly Contract[]) {
    this.routes = routeDefinitionsOf(contracts).filter(({ endpoint }) => isForTools(endpoint));
    const paths = [...new Set(this.routes.map(({ path }) => path))];
    this.table = new PathTable(paths.map((path) => ({ path, methods: [], open: false })));
  }

  /** Best match first; without words, all endpoints of the granted scopes. */
  search(words: readonly string[], granted: readonly Scope[]): Endpoint[] {
    const rank = ({ method, path, summary, tag }: Endpoint): number => {
      const text = `${method} ${path} ${summary} ${tag}`.toLowerCase();
      return words.filter((word) => text.includes(word)).length;
    };
    return this.routes
      .map(({ endpoint }) => ({ endpoint, rank: rank(endpoint) }))
      .filter((each) => isGranted(each.endpoint, granted) && (words.length === 0 || each.rank > 0))
      .sort((a, b) => b.rank - a.rank || (a.endpoint.path?.length ?? 0) - (b.endpoint.path?.length ?? 0))
      .map(({ endpoint }) => endpoint);
  }

  /** Throws 404 for a path that no endpoint for tools has, 405 for another method. */
  named(method: string, url: string): NamedEndpoint {
    const { pathname, searchParams } = parsed(url);
    const path = pathname.startsWith(`${PREFIX}/`) ? pathname.slice(PREFIX.length) : pathname;
    const declared = this.table.find(path)?.path;
    const ofPath = this.routes.filter((route) => route.path === declared);
    const route = ofPath.find(({ methods }) => methods.includes(method));
    if (declared === undefined || ofPath.length === 0) throw notFound('endpoint');
    if (!route) {
      const served = [...new Set(ofPath.flatMap(({ methods }) => methods))].filter((each) => each !== 'HEAD');
      throw new ApiError('method_not_allowed', `${method} is not served here, but ${served.join(', ')}`);
    }
    const names = [...new Set(searchParams.keys())];
    const query = Object.fromEntries(
      names.map((name) => {
        const values = searchParams.getAll(name);
        return [name, values.length === 1 ? (values[0] ?? '') : values];
      }),
    );
    return { route, path: valuesIn(path, declared), query };
  }
}

export const isGranted = ({ scope }: Endpoint, granted: readonly Scope[]): boolean =>
  scope === 'any' || (scope !== 'none' && granted.includes(scope));

const ORIGIN = 'http://api.invalid';

/** Refuses what resolves to another host, also by a backslash or line break. */
function parsed(url: string): URL {
  if (!URL.canParse(url, ORIGIN)) throw invalidField('path', 'is not a path');
  const whole = new URL(url, ORIGIN);
  if (!url.startsWith('/') || whole.origin !== ORIGIN) throw invalidField('path', 'must begin with one "/"');
  return whole;
}

function valuesIn(path: string, declared: string): Texts {
  const values = path.split('/');
  const names = declared.split('/');
  const parameters = new Set(pathParameters(declared));
  return Object.fromEntries(
    names.flatMap((part, at) => {
      const name = part.slice(1, -1);
      return parameters.has(name) ? [[name, decoded(values[at] ?? '')]] : [];
    }),
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalidField('path', 'has a malformed escape');
  }
}
