export interface Answer {
  text: string;
  headers?: Record<string, string>;
}
