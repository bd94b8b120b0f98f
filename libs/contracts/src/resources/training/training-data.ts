import { Checked } from '../../fields/checks.js';
import { Int, ListOf, Nullable, OneOf, Optional, Str } from '../../fields/fields.js';
import { Message, ToolCall } from '../../shapes.js';

/** A message of a training row. */
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

const folded = (text: string): string => text.replace(/\s+/g, ' ').trim();

function contentText(content: Message['content']): string {
  if (content == null) return '';
  if (typeof content === 'string') return folded(content);
  return folded(content.map(({ text, image_url }) => text ?? image_url?.url ?? '').join(' '));
}

/** The input of a row or a test item as one text, equal for inputs that differ in whitespace only. */
export function foldedInput(messages: readonly Message[]): string {
  return messages
    .map(({ role, content, tool_calls = [] }) =>
      [role, contentText(content), ...tool_calls.map(({ function: f }) => `${f.name} ${folded(f.arguments)}`)].join(
        '\u001f',
      ),
    )
    .join('\u001e');
}
