/** The types of the values that a job is about. */
type Fields = Readonly<Record<string, 'int' | 'text'>>;

/** The payload of a job, by the fields of its kind. */
type PayloadOf<F extends Fields> = { [Name in keyof F]: F[Name] extends 'int' ? number : string };

/** A kind of jobs of a service: its name, and how the payload of a job is written in its row. */
export interface JobKind<Payload = unknown> {
  /** Stored with every job: a released name is never changed. */
  readonly name: string;
  /** A job that waits already keeps its time when it is added again with a later one; without this it gets the later one. */
  readonly soonest: boolean;
  write(payload: Payload): string;
  read(ref: string): Payload;
}

/** The jobs of a service, by the names that its code has for them. */
export type JobKinds = Readonly<Record<string, JobKind>>;

const SEPARATOR = '/';

/**
 * Declares a kind of jobs. Its payload is stored as the values of the fields in their order, with `/` between them; only
 * the last one may contain that.
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
