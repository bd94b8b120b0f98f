/** The work of the load generator: request ids in random order, and check every reply. */
export interface Load {
  port: number;
  /** GET of this path followed by the id; with a body, POST to this path, in which `{id}` stands for the id. */
  prefix: string;
  /** Instead of POST. */
  method?: 'POST' | 'PUT';
  headers: Record<string, string>;
  /** JSON; `{id}` stands for the id, `{uuid}` for a new one at each place. */
  body?: string;
  /** Ids from `first` on; none twice before all were requested. */
  first: number;
  count: number;
  connections: number;
  seconds: number;
  /** Requests per second over all connections; without it each connection sends as fast as it is answered. */
  rate?: number;
  /** Status of a correct reply. */
  status: number;
  /** Text that the body of the reply must contain; `{id}` stands for the id. */
  expect: string;
}

/** The result of the generator. */
export interface LoadResult {
  requests: number;
  seconds: number;
  errors: number;
  p50: number;
  p99: number;
}

/** Streams one after the other on each connection; every token of the upstream contains the time it was sent. */
export interface StreamLoad {
  port: number;
  path: string;
  headers: Record<string, string>;
  body: string;
  connections: number;
  streams: number;
  /** Tokens of a complete reply. */
  tokens: number;
}

/** Milliseconds of streams: from the request to the first token, and by how much the gaps between tokens differ from those sent. */
export interface StreamResult {
  requests: number;
  errors: number;
  firstToken: number;
  gapP99: number;
}
