import type { CallToolResult, fromJsonSchema } from '@modelcontextprotocol/server';

/** A schema as the server lists it. */
export type ToolSchema = ReturnType<typeof fromJsonSchema<Record<string, unknown>>>;

/** A tool as it is listed and called on behalf of one caller. */
export interface ListedTool {
  name: string;
  description: string;
  input: ToolSchema;
  /** The schema of the structured part of its results. */
  output?: ToolSchema | undefined;
  readOnly: boolean;
  call(args: Record<string, unknown>): Promise<CallToolResult>;
}
