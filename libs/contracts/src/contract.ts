import { type Caller, type Scope } from './contract/caller.js';
import { type Output } from './contract/outputs.js';
import { type ErrorKind } from './errors.js';
import { type Class } from './fields/field-types.js';
import { fieldsOf } from './fields/fields.js';

/**
 * The reply of an earlier try of a slow call that took effect and whose reply was lost; a handler returns it and does
 * nothing more.
 */
export const earlierReply = <Reply>({ idempotency }: Caller): Reply | undefined =>
  (idempotency?.earlier ?? undefined) as Reply | undefined;

type Verb = 'get' | 'post' | 'put' | 'patch' | 'delete';
type Route = { [V in Verb]?: string };
type OwnError = Extract<ErrorKind, 'not_found' | 'conflict' | 'refused' | 'bad_upstream'>;

/** One endpoint as declared: a route (none for an internal one), input, output and who may call it. */
export interface EndpointDeclaration extends Route {
  summary: string;
  input: Class;
  output: Output;
  /** The errors of the endpoint in addition to those that follow from its method, scope and path (docs/api/errors.md). */
  errors?: readonly OwnError[];
  /** Default: `read` for GET, `write` otherwise; `any` = every key; `none` = no key at all. */
  scope?: Scope | 'any' | 'none';
  /** The field whose ids travel together: a read by key that may be coalesced. */
  batchable?: string;
  /**
   * The internal endpoint of the same contract, with the same input and reply, that gets the calls of a batchable one in
   * which the named field has this value: a batch consists of keys alone.
   */
  unbatchedWhen?: { field: string; value: boolean; endpoint: string };
  /** The field that takes the whole body, whatever JSON it is; the other fields stand in the path. */
  bodyField?: string;
  /** `large` = the 10 MiB body limit of docs/api/README.md. */
  body?: 'large';
  /** Also answers under `Authorization: Bearer`, outside the envelope. */
  bearer?: boolean;
  /** True when the call may last as long as `INVOKE_TIMEOUT_SECONDS`. */
  slow?: boolean;
  /**
   * The deadline of a slow call for one that is like any other: what it waits for, such as the start of a compiler, takes
   * longer on a slow machine.
   */
  longDeadline?: boolean;
  /**
   * Served by the workers of a service that is divided into an API and workers (docs/decisions/121): the call starts
   * tasks or costs much processor time, for which other calls do not wait.
   */
  byWorkers?: boolean;
  /**
   * A slow call that may be sent again when the process that holds it goes away: its handler starts work under
   * `caller.callId` and, for one that is resent, waits for that work instead. A reply in chunks repeats the same bytes.
   */
  resumable?: boolean;
  /**
   * When the named flag of the input, or of the reply, is true, the client receives the event stream of the named
   * endpoint of the same contract, called with the fields of the path and the reply.
   */
  follow?: { flag: string; of?: 'input' | 'reply'; endpoint: string };
  /** When the named flag of the input is true, the reply comes in chunks from the named endpoint, which takes the same input. */
  chunked?: { flag: string; endpoint: string };
  /** When the named field of the input has this value, the reply is a download from the named internal endpoint, which takes the same input. */
  downloadWhen?: { field: string; value: string; contentType: string; endpoint: string };
  /**
   * The internal endpoint of the same contract that gets the calls with a large body, with the same input and reply.
   * Served by workers, it keeps short calls from waiting until a large one is read (docs/decisions/121).
   */
  whenLarge?: string;
  /** `signal` of the handler aborts when its caller disconnects; for calls whose work is not worth finishing then. */
  abandonable?: boolean;
  /** `openai` = reply and errors in the shapes of the OpenAI protocol, outside the envelope, under a request id of the platform. */
  shape?: 'openai';
  /** Fields of the input that may come as a header instead; the body wins. */
  headers?: Readonly<Record<string, string>>;
  /** A stream of events without a last one: it lasts until the client disconnects. */
  endless?: boolean;
  /** The verb path accepts only its own method (PUT is otherwise also served as PATCH). */
  verb?: boolean;
  /**
   * The path that replaces this one, with parameters of the same names: every reply announces it and the deprecation
   * (docs/api/tests.md).
   */
  successor?: string;
  /**
   * The body is a file: the gateway sends its text in parts to the named internal endpoint of the same contract, whose
   * input is `UploadPart`, and then calls this one, whose input has the `Upload` in the field `upload`.
   */
  upload?: string;
  /**
   * The file of `upload` is bytes of any type, a `FileUpload`, in the field `file` of a form whose other fields are
   * those of the input; a JSON body with the named field in base64 is accepted in place of it.
   */
  uploadOr?: string;
  /**
   * A form is accepted in place of a JSON body: its fields are those of the input, and a file is the text of the field
   * of its name. Files of the name of the list `files` are elements `{key, content_base64, content_type}` of it.
   */
  form?: { files: string };
  /** The contract whose accepted calls the reply shows: a reader finds what it has just done. Default: that of the contract. */
  readsAfter?: string;
}

/** An endpoint with everything derived from its declaration. */
export interface Endpoint extends EndpointDeclaration {
  contract: string;
  service: string;
  name: string;
  /** Name on the bus, `rpc.<contract>.<endpoint>`; on the wire the sender stands between the first two tokens. */
  subject: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | null;
  /** Path with `{name}` parameters, null for an internal endpoint. */
  path: string | null;
  scope: Scope | 'any' | 'none';
  tag: string;
  inProcess: boolean;
  /** The endpoint of `unbatchedWhen`. */
  unbatched?: Endpoint;
}

/** A contract: the endpoints of one resource, declared once as data. */
export interface Contract<E extends Record<string, EndpointDeclaration> = Record<string, EndpointDeclaration>> {
  name: string;
  service: string;
  tag: string;
  endpoints: { [K in keyof E]: Endpoint & E[K] };
}

/** Which service serves a contract and under which family the document lists it. */
export interface ContractHome {
  /** Name of the contract, part of its bus subjects. */
  name: string;
  /** The service that honours it. */
  service: string;
  /** Family of the API, the tag in the OpenAPI document. */
  tag: string;
  /** The contract whose accepted calls the replies show, unless an endpoint says otherwise. */
  readsAfter?: string;
  /** The process that clients are connected to may serve it itself, as well as the service that honours it. */
  inProcess?: boolean;
}

const METHODS = { get: 'GET', post: 'POST', put: 'PUT', patch: 'PATCH', delete: 'DELETE' } as const;

/** The names of the parameters of a path, in its order; an internal endpoint has none. */
export const pathParameters = (path: string | null): string[] =>
  [...(path ?? '').matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');

function routeOf(declaration: EndpointDeclaration): Pick<Endpoint, 'method' | 'path'> {
  for (const verb of Object.keys(METHODS) as Verb[]) {
    const path = declaration[verb];
    if (path !== undefined) return { method: METHODS[verb], path };
  }
  return { method: null, path: null };
}

function complete(home: ContractHome, name: string, declaration: EndpointDeclaration): Endpoint {
  const { method, path } = routeOf(declaration);
  for (const parameter of pathParameters(path)) {
    if (!fieldsOf(declaration.input).has(parameter))
      throw new Error(`${home.name}.${name}: the input has no field for {${parameter}} of ${path}`);
  }
  if (declaration.batchable && !fieldsOf(declaration.input).has(declaration.batchable))
    throw new Error(`${home.name}.${name}: batchable names no field of the input`);
  return {
    ...(home.readsAfter === undefined ? {} : { readsAfter: home.readsAfter }),
    ...declaration,
    contract: home.name,
    service: home.service,
    tag: home.tag,
    inProcess: home.inProcess === true,
    name,
    subject: `rpc.${home.name}.${name}`,
    method,
    path,
    scope: declaration.scope ?? (method === 'GET' ? 'read' : 'write'),
  };
}

/** The other endpoints of its contract that a declaration names. */
const namedBy = ({ follow, chunked, downloadWhen, upload, whenLarge, unbatchedWhen }: EndpointDeclaration) =>
  [follow, chunked, downloadWhen, unbatchedWhen]
    .map((named) => named?.endpoint)
    .concat(upload, whenLarge)
    .filter((name) => name !== undefined);

/** The endpoint that gets a call: another one for what a batchable endpoint does not do for many keys at once. */
export const calledEndpoint = (endpoint: Endpoint, input: object): Endpoint => {
  const { unbatchedWhen, unbatched } = endpoint;
  const isOther = unbatchedWhen && (input as Record<string, unknown>)[unbatchedWhen.field] === unbatchedWhen.value;
  return isOther && unbatched ? unbatched : endpoint;
};

/** Without it a misspelt property of an endpoint compiles: a type parameter accepts what its constraint does not have. */
type OnlyDeclared<E> = { [K in keyof E]: { [P in Exclude<keyof E[K], keyof EndpointDeclaration>]: never } };

/** Declares the endpoints of a resource; subject, method, path and scope are derived here and nowhere else. */
export function defineContract<const E extends Record<string, EndpointDeclaration>>(
  home: ContractHome,
  endpoints: E & OnlyDeclared<E>,
): Contract<E> {
  for (const [name, declaration] of Object.entries<EndpointDeclaration>(endpoints)) {
    const unknown = namedBy(declaration).find((other) => !(other in endpoints));
    if (unknown !== undefined) throw new Error(`${home.name}.${name} names ${unknown}, which is no endpoint of it`);
  }
  const completed = Object.fromEntries(
    Object.entries<EndpointDeclaration>(endpoints).map(([name, declaration]) => [
      name,
      complete(home, name, declaration),
    ]),
  );
  for (const endpoint of Object.values(completed)) {
    const unbatched = completed[endpoint.unbatchedWhen?.endpoint ?? ''];
    if (unbatched) endpoint.unbatched = unbatched;
  }
  return { ...home, endpoints: completed as Contract<E>['endpoints'] };
}
