import { isDeeperThan, MAX_FOREIGN_DEPTH } from '@signalbox/contracts';
import { cutText } from '@signalbox/runs/rules';
import { McpFailedError } from './mcp-failure.js';

export interface ToolResult {
  output: unknown;
  isError: boolean;
}

interface Block {
  type: string;
  text?: string;
  mimeType?: string;
  uri?: string;
  resource?: { uri?: string; text?: string };
}

interface Called {
  content?: unknown;
  structuredContent?: unknown;
  isError?: boolean | undefined;
}

const MAX_OUTPUT = 64 * 1024;

function textOf({ type, text, mimeType, uri, resource }: Block): string {
  if (type === 'text') return text ?? '';
  if (type === 'resource' && typeof resource?.text === 'string') return resource.text;
  return `[${[type, mimeType, uri ?? resource?.uri].filter(Boolean).join(' ')}]`;
}

/** The structured content, else the text, of at most 64 kB. */
export function readResult({ content, structuredContent, isError = false }: Called): ToolResult {
  if (structuredContent !== undefined && structuredContent !== null && !isError) {
    if (isDeeperThan(structuredContent, MAX_FOREIGN_DEPTH))
      throw new McpFailedError('adapter', `the result is nested more than ${MAX_FOREIGN_DEPTH} deep`);
    const text = JSON.stringify(structuredContent);
    return { output: text.length <= MAX_OUTPUT ? structuredContent : cutText(text, MAX_OUTPUT), isError };
  }
  const blocks = (Array.isArray(content) ? content : []) as Block[];
  return { output: cutText(blocks.map(textOf).join('\n'), MAX_OUTPUT), isError };
}
