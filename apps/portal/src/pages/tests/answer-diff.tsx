import { Table } from '../../parts/table.js';
import { answerDiff, type Part } from '../../parts/answer-diff.js';

const shown = (value: unknown): string => (value === undefined ? '–' : JSON.stringify(value));

interface Answer {
  title: string;
  text: string;
}

export function Answers({ older, newer }: { older: Answer; newer: Answer }) {
  const diff = answerDiff(older.text, newer.text);
  const whole = (text: string): Part[] => [{ text, isChanged: false }];
  return (
    <>
      <div class="columns">
        <Pane
          {...older}
          label="Older answer"
          parts={diff.kind === 'words' ? diff.older : whole(older.text)}
          mark="del"
        />
        <Pane
          {...newer}
          label="Newer answer"
          parts={diff.kind === 'words' ? diff.newer : whole(newer.text)}
          mark="ins"
        />
      </div>
      {diff.kind === 'fields' && diff.changes.length > 0 && (
        <Table label="Fields that differ" columns={['Field', older.title, newer.title]}>
          {diff.changes.map(({ field, before, after }) => (
            <tr key={field}>
              <td>
                <code>{field}</code>
              </td>
              <td>
                <del>{shown(before)}</del>
              </td>
              <td>
                <ins>{shown(after)}</ins>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}

function Pane({ title, label, parts, mark }: { title: string; label: string; parts: Part[]; mark: 'del' | 'ins' }) {
  const Mark = mark;
  return (
    <div class="stack">
      <p class="soft">{title}</p>
      <pre class="json" tabIndex={0} aria-label={label}>
        {parts.map(({ text, isChanged }, n) => (isChanged ? <Mark key={n}>{text}</Mark> : text))}
      </pre>
    </div>
  );
}
