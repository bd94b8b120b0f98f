/** A reply as text, whatever form the handler gave it. */
export interface Answer {
  text: string;
  headers?: Record<string, string>;
}
