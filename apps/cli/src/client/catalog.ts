import { readFileSync } from 'node:fs';

/** One field of a command, as it is given on the command line. */
export interface CommandField {
  name: string;
  in: 'path' | 'query' | 'body';
  type: 'integer' | 'number' | 'boolean' | 'string' | 'list' | 'json';
  /** Type of the items of a list. */
  items?: string;
  /** The words that are accepted. */
  words?: string[];
  required?: boolean;
  nullable?: boolean;
  default?: unknown;
  about?: string;
}

/** One endpoint as a command `signalbox <family> <verb>`. */
export interface Command {
  /** Names of the family and method of the SDK. */
  family: string;
  verb: string;
  /** `METHOD /path`. */
  route: string;
  summary: string;
  scope?: string;
  shape?: 'page' | 'stream' | 'file' | 'plain';
  /** The field and value that turn the reply into a stream. */
  streams?: Record<string, string | boolean>;
  /** The field and value that turn the reply into a file. */
  downloads?: Record<string, string>;
  /** Media types of the file that is sent. */
  uploads?: string[];
  /** The field that a file may be sent in place of. */
  fileInsteadOf?: string;
  /** The field that is the whole body. */
  wholeBody?: string;
  /** What the command destroys for ever. */
  destroys?: string;
  /** Names of the fields that words without a name are given to, in a recorded order. */
  positions?: string[];
  fields?: CommandField[];
}

/** Families, their verbs and commands. */
export type Catalog = Record<string, Record<string, Command>>;

/** Reads the commands; they are generated from the contracts, which take longer to load. */
export function readCatalog(): Catalog {
  return JSON.parse(readFileSync(new URL('../../../commands.json', import.meta.url), 'utf8')) as Catalog;
}
