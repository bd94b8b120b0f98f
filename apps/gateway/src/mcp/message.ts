import { ApiError } from '@signalbox/contracts';

/** Only what is read here; the SDK checks the rest. */
export interface Message {
  id?: unknown;
  method?: unknown;
  params?: Record<string, unknown>;
}

const META = '_meta';
const CLIENT = 'io.modelcontextprotocol/clientInfo';

/** Throws 400 for a batch, which would be many calls for the price of one. */
export function messageIn(body: unknown): Message {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new ApiError('invalid', 'the body must be one JSON-RPC message');
  const { params } = body as Message;
  if (params !== undefined && (typeof params !== 'object' || params === null))
    throw new ApiError('invalid', 'params must be an object');
  return body as Message;
}

export function clientOf({ params }: Message, userAgent: string | undefined): string {
  const meta = Object(params?.[META]) as Record<string, unknown>;
  const { name, version } = Object(meta[CLIENT]) as { name?: unknown; version?: unknown };
  if (typeof name !== 'string') return userAgent ?? '';
  return typeof version === 'string' ? `${name} ${version}` : name;
}

const METHOD_NOT_FOUND = -32601;

export const methodNotFound = ({ id }: Message): object => ({
  jsonrpc: '2.0',
  id: typeof id === 'string' || typeof id === 'number' ? id : null,
  error: { code: METHOD_NOT_FOUND, message: 'Method not found' },
});
