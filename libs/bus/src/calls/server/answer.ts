/** A reply as text, for each form a handler can return. */
export interface Answer {
  text: string;
  headers?: Record<string, string>;
}
