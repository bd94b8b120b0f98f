/** In a transaction (`Tx.query`), as one read of a company (`Database.select`), or as the worker role. */
export type RunsIn = 'transaction' | 'read' | 'worker';

/** The indexes of the plan; null when nothing is looked up, as in an INSERT of values. */
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

export const txStatement = statement('transaction');
/** Outside a transaction; `Database.select` describes its form. */
export const readStatement = statement('read');
export const workerStatement = statement('worker');

export type ComposedStatement<Parts extends unknown[], In extends RunsIn> = ((...parts: Parts) => Statement<In>) & {
  readonly variants: readonly Parts[];
};

/** A statement composed per call; `variants` are the parts that the test plans. */
export const composed = <Parts extends unknown[], In extends RunsIn>(
  build: (...parts: Parts) => Statement<In>,
  ...variants: Parts[]
): ComposedStatement<Parts, In> => Object.assign((...parts: Parts) => build(...parts), { variants });

export const textOf = (statement: Statement | string): string =>
  typeof statement === 'string' ? statement : statement.text;

export interface SchemaStatements<Statements> {
  table: string;
  of: (schema: string) => Statements;
}

/** Statements of a table that several services have; made once per schema. */
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
