export interface RunTables {
  runs: string;
  events: string;
  timeline: string;
  key: string;
  /** The id of the run that started this one; absent when runs of the kind start none. */
  parent?: string;
  /** Absent when runs of the kind wait for no callback. */
  hooks?: string;
}

/** Of a table, without its schema; the names of its indexes begin with it. */
export const nameOf = (table: string): string => table.slice(table.indexOf('.') + 1);

export const primaryKeyOf = (table: string): string => `${nameOf(table)}_pkey`;

export const schemaOf = (table: string): string => table.slice(0, table.indexOf('.')).replaceAll('"', '');

/** Finds the runs that a run has started; made by each service, unique with the call that started them. */
export const childIndexOf = ({ runs }: RunTables): string => `${nameOf(runs)}_child`;

/** Finds the timeline of a run. */
export const timelineIndexOf = ({ timeline, key }: RunTables): string =>
  `${nameOf(timeline)}_of_${key.replace(/_id$/, '')}`;
