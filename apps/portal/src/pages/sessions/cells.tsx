import type { ChatSession } from '@signalbox/sdk';
import { Link } from 'wouter-preact';
import { oneLine } from '../../rules/formats.js';
import { sessionPath } from '../../rules/session-path.js';

export const keyOf = ({ session_id }: { session_id: string }): string => session_id;

export const nameCell = (session: { session_id: string; agent_id?: number }) => (
  <Link class="quiet" href={sessionPath(session)} tabIndex={-1}>
    {session.session_id}
  </Link>
);
export const feedbackCell = ({
  feedback_score: score,
  feedback_text: text,
}: Pick<ChatSession, 'feedback_score' | 'feedback_text'>) =>
  score === null && text === null ? '–' : [score === null ? '' : `${score} of 5`, oneLine(text, 40)].join(' ').trim();
