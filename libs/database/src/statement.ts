/** Where a statement runs: in a transaction (`Tx.query`), as one read of a company (`Database.select`), or as the worker. */
export type RunsIn = 'transaction' | 'read' | 'worker';

/** The indexes that the plan of a statement uses; null when it looks nothing up, as an INSERT of values does. */
export interface StatementUse {
  index: string | readonly string[] | null;
}

/** A named statement of a `*.sql.ts` file. A test plans each against the migrated schema (`statementFaults`). */
export class Statement<In extends RunsIn = RunsIn> {
  constructor(
    readonly runsIn: In,
    readonly indexes: readonly string[],
    readonly text: string,
  ) {}
}

const statement =
  <In extends RunsIn>(runsIn: In) =>
  ({ index }: StatementUse, text: string): Statement<In> =>
    new Statement(runsIn, index === null ? [] : [index].flat(), text);

/** A statement of a transaction. */
export const txStatement = statement('transaction');
/** A read of one company outside a transaction; see `Database.select` for its form. */
export const readStatement = statement('read');
/** A statement of the worker role, over all companies. */
export const workerStatement = statement('worker');

/** Builds a statement of parts that depend on the call. */
export type ComposedStatement<Parts extends unknown[], In extends RunsIn> = ((...parts: Parts) => Statement<In>) & {
  readonly variants: readonly Parts[];
};

/** A statement that is composed by call, with the parts of each variant that the test is to plan. */
export const composed = <Parts extends unknown[], In extends RunsIn>(
  build: (...parts: Parts) => Statement<In>,
  ...variants: Parts[]
): ComposedStatement<Parts, In> => Object.assign((...parts: Parts) => build(...parts), { variants });

/** The text of a statement that is given by name or, where it is composed of the parts of a view, as text. */
export const textOf = (statement: Statement | string): string =>
  typeof statement === 'string' ? statement : statement.text;

/** The statements of a table that several services have, each in its own schema. */
export interface SchemaStatements<Statements> {
  /** The table without its schema. */
  table: string;
  of: (schema: string) => Statements;
}

/** Declares the statements of a table that several services have; those of a schema are made once. */
export function perSchema<Statements extends object>(
  table: string,
  make: (table: string, schema: string) => Statements,
): SchemaStatements<Statements> {
  const made = new Map<string, Statements>();
  const of = (schema: string): Statements => {
    let statements = made.get(schema);
    if (!statements) made.set(schema, (statements = make(`"${schema}".${table}`, schema)));
    return statements;
  };
  return { table, of };
}
