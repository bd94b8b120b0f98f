/** What the load generator is asked to do: GET `prefix` + id for ids in random order, and check every answer. */
export interface Load {
  port: number;
  prefix: string;
  headers: Record<string, string>;
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
