/** What the load generator is asked to do: ask for ids in random order, and check every answer. */
export interface Load {
  port: number;
  /** GET of this path with the id behind it; with a body, POST to this very path. */
  prefix: string;
  /** Instead of POST. */
  method?: 'POST' | 'PUT';
  headers: Record<string, string>;
  /** JSON; `{id}` stands for the id, `{uuid}` for a new one at each place. */
  body?: string;
  /** Ids from `first` on; none twice before all were asked for. */
  first: number;
  count: number;
  connections: number;
  seconds: number;
  /** Status of a right answer. */
  status: number;
  /** Text that the body of the answer must hold; `{id}` stands for the id. */
  expect: string;
}

/** What the generator has seen. */
export interface LoadResult {
  requests: number;
  seconds: number;
  errors: number;
  p50: number;
  p99: number;
}

/** Streams one after the other on each connection; every token of the upstream tells when it was sent. */
export interface StreamLoad {
  port: number;
  path: string;
  headers: Record<string, string>;
  body: string;
  connections: number;
  streams: number;
  /** Tokens of a complete answer. */
  tokens: number;
}

/** Milliseconds of streams: from the request to the first token, and by how much the gaps between tokens differ from those sent. */
export interface StreamResult {
  requests: number;
  errors: number;
  firstToken: number;
  gapP99: number;
}
