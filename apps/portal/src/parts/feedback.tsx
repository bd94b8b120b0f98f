import { Failure } from './failure.js';
import { useState } from 'preact/hooks';
import { usePortal } from '../api/portal.js';
import { Field } from './form.js';

const SCORES = [1, 2, 3, 4, 5];

export interface FeedbackGiven {
  feedback_score: number | null;
  feedback_text: string | null;
}

export function Feedback({
  given,
  save,
  remove,
}: {
  given: FeedbackGiven;
  save: (feedback: FeedbackGiven) => Promise<unknown>;
  remove: () => Promise<unknown>;
}) {
  const { can, say } = usePortal();
  const [score, setScore] = useState(given.feedback_score);
  const [text, setText] = useState(given.feedback_text ?? '');
  const [error, setError] = useState<unknown>(null);
  const hasFeedback = given.feedback_score !== null || given.feedback_text !== null;
  const isEmpty = score === null && text.trim() === '';

  async function does(what: Promise<unknown>, said: string): Promise<void> {
    try {
      await what;
      setError(null);
      say(said);
    } catch (problem) {
      setError(problem);
    }
  }
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (isEmpty || !can('write')) return;
    const feedback = { feedback_score: score, feedback_text: text.trim() === '' ? null : text.trim() };
    void does(save(feedback), 'The feedback is saved.');
  };
  const onRemove = (): void => {
    if (!can('write')) return;
    setScore(null);
    setText('');
    void does(remove(), 'The feedback is removed.');
  };
  return (
    <form class="card" aria-label="Feedback" onSubmit={onSubmit}>
      <h2>Feedback</h2>
      <fieldset class="scores">
        <legend class="hint">Score, from 1 (bad) to 5 (good)</legend>
        {SCORES.map((value) => (
          <label class={`score ${score === value ? 'on' : ''}`} key={value}>
            <input type="radio" name="score" checked={score === value} onChange={() => setScore(value)} />
            {value}
          </label>
        ))}
      </fieldset>
      <Field label="What was good or bad">
        <textarea
          rows={3}
          maxLength={4000}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </Field>
      <Failure error={error} />
      <div class="bar">
        <button class="primary" type="submit" aria-disabled={isEmpty || !can('write')}>
          Save the feedback
        </button>
        {hasFeedback && (
          <button type="button" aria-disabled={!can('write')} onClick={onRemove}>
            Remove
          </button>
        )}
      </div>
    </form>
  );
}
