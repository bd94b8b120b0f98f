import type { CallToolResult, fromJsonSchema } from '@modelcontextprotocol/server';

export type ToolSchema = ReturnType<typeof fromJsonSchema<Record<string, unknown>>>;

export interface ListedTool {
  name: string;
  description: string;
  input: ToolSchema;
  output?: ToolSchema | undefined;
  readOnly: boolean;
  call(args: Record<string, unknown>): Promise<CallToolResult>;
}
