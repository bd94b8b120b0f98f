import { Checked } from '../../fields/checks.js';
import { Epoch, Id, Int, Nullable, Optional, Str } from '../../fields/fields.js';

export class SessionFeedback {
  @Str(1, 128) session_id!: string;
  @Int(1, 5) @Nullable() feedback_score!: number | null;
  @Str(0, 4000) @Nullable() feedback_text!: string | null;
  @Id() @Nullable() key_id!: number | null;
  @Epoch() date_updated!: number;
}

/** The writable fields of feedback: a score, a text, or both. */
@Checked<FeedbackBody>(({ feedback_score, feedback_text }) =>
  feedback_score == null && feedback_text == null
    ? { field: 'feedback_score', message: 'is required when feedback_text is absent' }
    : undefined,
)
export class FeedbackBody {
  @Int(1, 5) @Nullable() @Optional() feedback_score?: number | null;
  @Str(0, 4000) @Nullable() @Optional() feedback_text?: string | null;
}
