import type { ChatSession } from '@signalbox/sdk';
import { Link } from 'wouter-preact';
import { oneLine } from '../../rules/formats.js';

export const pathOf = ({ session_id }: { session_id: string }): string => `/sessions/${encodeURIComponent(session_id)}`;
export const keyOf = ({ session_id }: { session_id: string }): string => session_id;

export const nameCell = (session: { session_id: string }) => (
  <Link class="quiet" href={pathOf(session)} tabIndex={-1}>
    {session.session_id}
  </Link>
);
export const feedbackCell = ({
  feedback_score: score,
  feedback_text: text,
}: Pick<ChatSession, 'feedback_score' | 'feedback_text'>) =>
  score === null && text === null ? '–' : [score === null ? '' : `${score} of 5`, oneLine(text, 40)].join(' ').trim();
