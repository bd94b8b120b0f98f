import { useState } from 'preact/hooks';
import type { TagRule, TagVerdict } from '@signalbox/sdk';
import { Link } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import type { SectionProps } from '../../declared/declaration.js';
import { Empty } from '../../parts/empty.js';
import { Field, Form } from '../../parts/form.js';
import { Lamp } from '../../parts/lamp.js';
import { Table } from '../../parts/table.js';

/** Judges the newest requests without tagging them. */
export function RulePreview({ item: { id: rule_id, method } }: SectionProps<TagRule>) {
  const { api, can } = usePortal();
  const [verdicts, setVerdicts] = useState<TagVerdict[] | null>(null);
  async function preview({ limit = '', text = '' }: Record<string, string>): Promise<void> {
    setVerdicts(await api.tags.previewRule({ rule_id, limit: Number(limit), ...(text === '' ? {} : { text }) }));
  }
  const matched = verdicts?.filter((verdict) => verdict.matched).length ?? 0;
  return (
    <div class="stack">
      <section class="card" aria-label="Preview">
        <p class="soft">
          The newest requests are judged, and none is tagged.
          {method === 'LLM' && ' Each is a call of the judge model.'}
        </p>
        <Form
          submit={preview}
          action="Judge them"
          {...(can('invoke') ? {} : { locked: 'Only keys with the scope invoke judge requests.' })}
        >
          <div class="bar">
            <Field label="Requests">
              <input name="limit" type="number" min={1} max={100} defaultValue="25" required />
            </Field>
            <Field label="With the text">
              <input name="text" type="search" maxLength={200} />
            </Field>
          </div>
        </Form>
      </section>
      <div role="status">
        {verdicts && verdicts.length > 0 && (
          <p>
            {matched} of {verdicts.length} would get the tag.
          </p>
        )}
      </div>
      {verdicts?.length === 0 && <Empty title="No request is recorded that the rule could judge." />}
      {verdicts !== null && verdicts.length > 0 && (
        <Table label="Judged requests" columns={['Request', 'Verdict']}>
          {verdicts.map(({ request_id, matched: isMatch, failure_class }) => (
            <tr key={request_id}>
              <td>
                <Link href={`/runs/request/${request_id}`}>
                  <code>{request_id}</code>
                </Link>
              </td>
              <td>
                {failure_class !== null ? (
                  <Lamp state="ERROR" failureClass={failure_class} />
                ) : isMatch ? (
                  <b>gets the tag</b>
                ) : (
                  <span class="soft">does not</span>
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
    </div>
  );
}
