import { readFileSync } from 'node:fs';

export interface CommandField {
  name: string;
  in: 'path' | 'query' | 'body';
  type: 'integer' | 'number' | 'boolean' | 'string' | 'list' | 'json';
  items?: string;
  words?: string[];
  required?: boolean;
  nullable?: boolean;
  default?: unknown;
  about?: string;
}

export interface Command {
  family: string;
  verb: string;
  /** `METHOD /path`. */
  route: string;
  summary: string;
  scope?: string;
  shape?: 'page' | 'stream' | 'file' | 'plain';
  /** The field and value that turn the reply into a stream. */
  streams?: Record<string, string | boolean>;
  downloads?: Record<string, string>;
  uploads?: string[];
  /** A file may be sent in place of this field. */
  fileInsteadOf?: string;
  /** This field is the whole body. */
  wholeBody?: string;
  /** What the command destroys for ever. */
  destroys?: string;
  /** Fields of positional words, in a recorded order. */
  positions?: string[];
  fields?: CommandField[];
  /** Fields of a record of a page; it may lack some. */
  columns?: string[];
}

export type Catalog = Record<string, Record<string, Command>>;

/** Generated from the contracts, which take longer to load. */
export function readCatalog(): Catalog {
  return JSON.parse(readFileSync(new URL('../../../commands.json', import.meta.url), 'utf8')) as Catalog;
}
