export const TOOLS_PATH = '/mcp';

const TOOLS = [
  {
    name: 'find_parcel',
    description: 'Finds where a parcel is',
    inputSchema: { type: 'object', properties: { order_id: { type: 'string' } }, required: ['order_id'] },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'open_claim',
    description: 'Opens a claim for a parcel that is lost or broken',
    inputSchema: {
      type: 'object',
      properties: { order_id: { type: 'string' }, reason: { enum: ['lost', 'broken'] } },
      required: ['order_id', 'reason'],
    },
  },
];

const METHOD_NOT_FOUND = -32601;

interface Message {
  id?: number | string;
  method: string;
  params?: { protocolVersion?: string; arguments?: { order_id?: string } };
}

function resultOf({ method, params }: Message): object | null {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'order-desk-demo', version: '1.0.0' },
      };
    case 'tools/list':
      return { tools: TOOLS };
    case 'tools/call':
      return {
        content: [{ type: 'text', text: `The parcel of ${params?.arguments?.order_id ?? '?'} is on its way.` }],
      };
    default:
      return null;
  }
}

/** Null for a notification, which has no reply. */
export function toolReply(message: Message): object | null {
  const { id, method } = message;
  if (id === undefined) return null;
  const result = resultOf(message);
  const error = { code: METHOD_NOT_FOUND, message: `there is no method ${method}` };
  return { jsonrpc: '2.0', id, ...(result ? { result } : { error }) };
}
