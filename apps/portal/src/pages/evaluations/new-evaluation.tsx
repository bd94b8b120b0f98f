import { useState } from 'preact/hooks';
import type { EvaluationsEstimateInput, Intent, Sentinel } from '@signalbox/sdk';
import { Link } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { Dialog } from '../../parts/dialog.js';
import { Empty } from '../../parts/empty.js';
import { Field, Form } from '../../parts/form.js';
import { Loaded } from '../../parts/loaded.js';
import { SPANS } from '../../rules/filters.js';
import { count, money } from '../../rules/formats.js';

const PAGE = { limit: 100 };

interface Choices {
  intents: (Intent & { application_name: string })[];
  sentinels: Sentinel[];
}

export function NewEvaluation({
  sentinelId,
  close,
  made,
}: {
  sentinelId: number | null;
  close: () => void;
  made: (id: number) => void;
}) {
  const { api } = usePortal();
  const load = async (signal: AbortSignal): Promise<Choices> => {
    const [applications, sentinels] = await Promise.all([
      api.applications.list(PAGE, { signal }).all(),
      api.sentinels.list(PAGE, { signal }).all(),
    ]);
    const intents = await Promise.all(
      applications.map(async ({ id: application_id, application_name }) =>
        (await api.intents.list({ application_id, ...PAGE }, { signal }).all()).map((intent) => ({
          ...intent,
          application_name,
        })),
      ),
    );
    return { intents: intents.flat(), sentinels };
  };
  return (
    <Dialog title="New evaluation" close={close}>
      <Loaded name={['evaluation choices']} load={load}>
        {({ intents, sentinels }) => {
          const guarded = intents.filter((intent) =>
            sentinels.some(({ intent_group_id }) => intent_group_id === intent.intent_group_id),
          );
          return guarded.length === 0 ? (
            <Empty title="No intent has a sentinel yet.">
              <Link href="/sentinels">Sentinels</Link>
            </Empty>
          ) : (
            <Fields intents={guarded} sentinels={sentinels} sentinelId={sentinelId} made={made} />
          );
        }}
      </Loaded>
    </Dialog>
  );
}

function Fields({
  intents,
  sentinels,
  sentinelId,
  made,
}: Choices & { sentinelId: number | null; made: (id: number) => void }) {
  const { api } = usePortal();
  const wanted = sentinels.find(({ id }) => id === sentinelId);
  const begun = intents.find(({ intent_group_id }) => intent_group_id === wanted?.intent_group_id) ?? intents[0];
  const [now] = useState(Date.now());
  const [intentId, setIntentId] = useState(begun?.id ?? 0);
  const [span, setSpan] = useState('7d');
  const [limit, setLimit] = useState('1000');
  const [left, setLeft] = useState<number[]>(
    wanted ? sentinels.filter(({ id }) => id !== wanted.id).map(({ id }) => id) : [],
  );
  const intent = intents.find(({ id }) => id === intentId);
  const offered = sentinels.filter(({ intent_group_id }) => intent_group_id === intent?.intent_group_id);
  const chosen = offered.map(({ id }) => id).filter((id) => !left.includes(id));
  const input: EvaluationsEstimateInput | null =
    intent && chosen.length > 0
      ? {
          application_id: intent.application_id,
          intent_id: intent.id,
          start_date: now - (SPANS[span]?.ms ?? 0),
          end_date: now,
          sentinel_ids: chosen,
          request_limit: Number(limit) || null,
        }
      : null;
  return (
    <Form
      action="Start it"
      submit={async ({ name = '' }) => {
        if (input) made((await api.evaluations.create({ ...input, name: name || null })).id);
      }}
      {...(input === null ? { locked: 'Choose at least one sentinel.' } : {})}
    >
      <Field label="Requests of the intent">
        <select value={intentId} autofocus onChange={({ currentTarget }) => setIntentId(Number(currentTarget.value))}>
          {intents.map(({ id, action_type, application_name, request_count }) => (
            <option value={id} key={id}>
              {action_type} of {application_name} ({count(request_count)})
            </option>
          ))}
        </select>
      </Field>
      <Field label="Recorded in the">
        <select value={span} onChange={({ currentTarget }) => setSpan(currentTarget.value)}>
          {Object.entries(SPANS).map(([value, { label }]) => (
            <option value={value} key={value}>
              {label}
            </option>
          ))}
        </select>
      </Field>
      <Field label="At most, the newest">
        <input
          type="number"
          min={1}
          max={100_000}
          value={limit}
          onInput={({ currentTarget }) => setLimit(currentTarget.value)}
        />
      </Field>
      <fieldset class="stack tight">
        <legend class="hint">Sentinels that judge</legend>
        {offered.map(({ id, sentinel_name }) => (
          <label class="check-line" key={id}>
            <input
              type="checkbox"
              checked={!left.includes(id)}
              onChange={({ currentTarget: { checked } }) =>
                setLeft(checked ? left.filter((each) => each !== id) : [...left, id])
              }
            />
            {sentinel_name}
          </label>
        ))}
      </fieldset>
      <Field label="Name">
        <input name="name" maxLength={200} />
      </Field>
      {input && (
        <Loaded name={['estimate', input]} load={(signal) => api.evaluations.estimate(input, { signal })}>
          {({ request_count, judgement_count, estimated_cost }) => (
            <p role="status" class="why calm">
              {`${count(request_count)} requests, ${count(judgement_count)} judgements, `}
              {estimated_cost === null
                ? 'at a cost that is not known: a judge model has no price.'
                : `about ${money(estimated_cost)}.`}
            </p>
          )}
        </Loaded>
      )}
    </Form>
  );
}
