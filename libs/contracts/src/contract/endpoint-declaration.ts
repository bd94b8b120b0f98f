import { type Scope } from './caller.js';
import { type ErrorKind } from '../errors.js';
import { type Class } from '../fields/field-types.js';
import { type Output } from './outputs.js';

export type Verb = 'get' | 'post' | 'put' | 'patch' | 'delete';
type Route = { [V in Verb]?: string };
type OwnError = Extract<ErrorKind, 'not_found' | 'conflict' | 'refused' | 'bad_upstream'>;

/** The bodies that an endpoint accepts. */
type BodyFacet =
  | {
      /** The field that takes the whole body, whatever JSON it is; the other fields stand in the path. */
      bodyField?: string;
      /**
       * A form is accepted in place of a JSON body: its fields are those of the input, and a file is the text of the field
       * of its name. Files of the name of the list `files` are elements `{key, content_base64, content_type}` of it.
       */
      form?: { files: string };
      upload?: never;
      uploadOr?: never;
    }
  | {
      /**
       * The body is a file: the gateway sends its text in parts to the named internal endpoint of the same contract, whose
       * input is `UploadPart`, and then calls this one, whose input has the `Upload` in the field `upload`.
       */
      upload: string;
      /**
       * The file of `upload` is bytes of any type, a `FileUpload`, in the field `file` of a form whose other fields are
       * those of the input; a JSON body with the named field in base64 is accepted in place of it.
       */
      uploadOr?: string;
      bodyField?: never;
      form?: never;
    };

/** What HTTP clients see of an endpoint besides its route and scope. */
export type HttpFacet = BodyFacet & {
  /** `large` = the 10 MiB body limit of docs/api/README.md. */
  body?: 'large';
  /** Fields of the input that may come as a header instead; the body wins. */
  headers?: Readonly<Record<string, string>>;
  /** Also answers under `Authorization: Bearer`, outside the envelope. */
  bearer?: boolean;
  /** `openai` = reply and errors in the shapes of the OpenAI protocol, outside the envelope, under a request id of the platform. */
  protocol?: 'openai';
  /** The path accepts only its own method (PUT is otherwise also served as PATCH). */
  exactMethod?: boolean;
  /**
   * The path that replaces this one, with parameters of the same names: every reply announces it and the deprecation
   * (docs/api/tests.md).
   */
  deprecatedBy?: string;
};

/** A reply of another form than the output; `endpoint` is one of the same contract that takes the same input. */
export type ReplyFacet =
  /** A stream of events without a last one: it lasts until the client disconnects. */
  | { kind: 'endless'; flag?: never; endpoint?: never }
  /**
   * When the named flag of the input, or of the reply, is true, the client receives the event stream of the named
   * endpoint, called with the fields of the path and the reply.
   */
  | { kind: 'follow'; flag: string; of?: 'input' | 'reply'; endpoint: string }
  /** When the named flag of the input is true, the reply comes in chunks from the named endpoint. */
  | { kind: 'chunks'; flag: string; endpoint: string }
  /** When the named field of the input has this value, the reply is a download from the named internal endpoint. */
  | { kind: 'download'; field: string; value: string; contentType: string; endpoint: string };

/** How a call reaches its handler, and how long it may take. */
export type DeliveryFacet = {
  /** The contract whose accepted calls the reply shows: a reader finds what it has just done. Default: that of the contract. */
  readsAfter?: string;
} & (
  | {
      /** The field whose ids travel together: a read by key that is batched. */
      batchable?: string;
      /**
       * The internal endpoint of the same contract, with the same input and reply, that gets the calls of a batchable one in
       * which the named field has this value: a batch consists of keys alone.
       */
      unbatchedWhen?: { field: string; value: boolean; endpoint: string };
      slow?: never;
      resumable?: never;
      abandonable?: never;
      onceBy?: never;
      longDeadline?: never;
    }
  | {
      /** The call may last as long as `INVOKE_TIMEOUT_SECONDS`. */
      slow: true;
      /**
       * It may be sent again when the process that holds it goes away: its handler starts work under `caller.callId` and,
       * for one that is resent, waits for that work instead. A reply in chunks repeats the same bytes.
       */
      resumable?: boolean;
      /** `signal` of the handler aborts when its caller disconnects; for calls whose work is not worth finishing then. */
      abandonable?: boolean;
      /**
       * The field with a text that no other call has: its handler runs once. A repeat gets the reply of the first call, and
       * `in_progress` while that is under way; one whose process was lost is handled again.
       */
      onceBy?: string;
      batchable?: never;
      unbatchedWhen?: never;
      longDeadline?: never;
    }
  | {
      /**
       * The deadline of a slow call, two minutes at least, for one that is like any other: what it waits for, such as the
       * start of a compiler, takes longer on a slow machine.
       */
      longDeadline: true;
      slow?: never;
      resumable?: never;
      abandonable?: never;
      onceBy?: never;
      batchable?: never;
      unbatchedWhen?: never;
    }
);

/** Which processes serve an endpoint of a service that is divided into an API and workers (docs/decisions/121). */
export type PlacementFacet =
  /** The workers: the call starts tasks or costs much processor time, for which other calls do not wait. */
  | { onWorkers: boolean; largeBodyEndpoint?: never }
  /**
   * The API, except for calls with a large body: those get the named internal endpoint of the same contract, with the same
   * input and reply, so that short calls do not wait until a large one is read.
   */
  | { onWorkers?: never; largeBodyEndpoint: string };

/** One endpoint as declared: a route (none for an internal one), who may call it, input and output, and four facets. */
export interface EndpointDeclaration extends Route {
  summary: string;
  input: Class;
  output: Output;
  /** The errors of the endpoint in addition to those that follow from its method, scope and path (docs/api/errors.md). */
  errors?: readonly OwnError[];
  /** Default: `read` for GET, `write` otherwise; `any` = every key; `none` = no key at all. */
  scope?: Scope | 'any' | 'none';
  http?: HttpFacet;
  reply?: ReplyFacet;
  delivery?: DeliveryFacet;
  placement?: PlacementFacet;
}

/** The settings of all facets, as code that serves or calls an endpoint reads them. */
export interface ResolvedFacets
  extends
    Partial<Pick<HttpFacet, 'body' | 'bodyField' | 'form' | 'upload' | 'uploadOr' | 'headers' | 'bearer' | 'protocol'>>,
    Partial<Pick<HttpFacet, 'exactMethod' | 'deprecatedBy'>> {
  endless?: boolean;
  follow?: { flag: string; of?: 'input' | 'reply'; endpoint: string };
  chunked?: { flag: string; endpoint: string };
  downloadWhen?: { field: string; value: string; contentType: string; endpoint: string };
  readsAfter?: string;
  batchable?: string;
  unbatchedWhen?: { field: string; value: boolean; endpoint: string };
  slow?: boolean;
  resumable?: boolean;
  abandonable?: boolean;
  onceBy?: string;
  longDeadline?: boolean;
  onWorkers?: boolean;
  largeBodyEndpoint?: string;
}

export function resolveFacets({ http, reply, delivery, placement }: EndpointDeclaration): ResolvedFacets {
  return { ...http, ...replySettings(reply), ...delivery, ...placement } as ResolvedFacets;
}

function replySettings(reply: ReplyFacet | undefined): ResolvedFacets {
  if (reply === undefined) return {};
  if (reply.kind === 'endless') return { endless: true };
  const { kind, ...settings } = reply;
  return { [{ follow: 'follow', chunks: 'chunked', download: 'downloadWhen' }[kind]]: settings };
}
