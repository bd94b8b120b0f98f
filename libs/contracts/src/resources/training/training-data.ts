import { Checked } from '../../fields/checks.js';
import { Int, ListOf, Nullable, OneOf, Optional, Str } from '../../fields/fields.js';
import { Message, ToolCall } from '../../shapes.js';

export class TrainingMessage extends Message {
  @Int(0, 1) @Optional() weight?: number;
}

/** The answer that a training row teaches. */
@Checked<TrainingResponse>(({ content, tool_calls }) =>
  content == null && !tool_calls?.length ? { field: 'content', message: 'is required without tool_calls' } : undefined,
)
export class TrainingResponse {
  @OneOf(['assistant']) role!: 'assistant';
  @Str(0, 1_000_000) @Nullable() @Optional() content?: string | null;
  @ListOf(() => ToolCall, 1, 128) @Optional() tool_calls?: ToolCall[];
}

/** The largest bodies of a row in bytes of JSON. */
export const TRAINING_ROW_BYTES = 1_048_576;
/** The rows that a dataset or a composition may have. */
export const MAX_TRAINING_ROWS = 200_000;
