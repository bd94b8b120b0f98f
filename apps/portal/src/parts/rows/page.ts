/** One page of a list of the API. */
export interface Page<T> {
  data: T[];
  pagination: { total: number };
}
