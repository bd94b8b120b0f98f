type Fields = Readonly<Record<string, 'int' | 'text'>>;

type PayloadOf<F extends Fields> = { [Name in keyof F]: F[Name] extends 'int' ? number : string };

export interface JobKind<Payload = unknown> {
  /** Stored with every job: never rename a released one. */
  readonly name: string;
  /** Whether a waiting job that is added again with a later time keeps its own. */
  readonly soonest: boolean;
  write(payload: Payload): string;
  read(ref: string): Payload;
}

export type JobKinds = Readonly<Record<string, JobKind>>;

const SEPARATOR = '/';

/**
 * The payload is stored as the values of the fields in order, separated by `/`, which only the last one may contain.
 */
export function job<const F extends Fields>(
  name: string,
  fields: F,
  { soonest = false }: { soonest?: boolean } = {},
): JobKind<PayloadOf<F>> {
  const names = Object.keys(fields);
  return {
    name,
    soonest,
    write: (payload) => names.map((field) => String((payload as Record<string, unknown>)[field])).join(SEPARATOR),
    read: (ref) => {
      const parts = ref.split(SEPARATOR);
      const values = [...parts.slice(0, names.length - 1), parts.slice(names.length - 1).join(SEPARATOR)];
      const entries = names.map((field, at) => [field, fields[field] === 'int' ? Number(values[at]) : values[at]]);
      return Object.fromEntries(entries) as PayloadOf<F>;
    },
  };
}
