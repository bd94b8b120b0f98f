import { useState } from 'preact/hooks';
import type { Config, ConfigView, Signalbox } from '@signalbox/sdk';
import { useQueryClient } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import { usePortal } from '../api/portal.js';
import { Failure } from '../parts/failure.js';
import { Loaded } from '../parts/loaded.js';
import { Question } from '../parts/question.js';
import { ScopedButton } from '../parts/scoped-button.js';
import { Table } from '../parts/table.js';
import { count, oneLine } from '../rules/formats.js';
import { changeOf } from '../rules/item-form.js';
import type { ItemForm, SectionProps } from './declaration.js';
import { ItemFormDialog } from './item-form.js';

type Source = ConfigView['inherited_from'][string];

interface ConfigOf<T> {
  level: Source;
  load: (api: Signalbox, item: T, signal: AbortSignal) => PromiseLike<ConfigView>;
  update: (api: Signalbox, item: T, change: Config) => PromiseLike<ConfigView>;
  /** Removes all that is set here; not every kind has it. */
  reset?: (api: Signalbox, item: T) => PromiseLike<ConfigView>;
  links?: (item: T) => Partial<Record<Source, string>>;
}

const WORDS: Record<Source, string> = {
  application: 'the application',
  intent_group: 'the intent group',
  intent: 'the intent',
  default: 'the default',
};
const yesNo = { type: 'boolean', enum: [true, false], enumNames: ['yes', 'no'] };
const FORM: ItemForm<Config> = {
  fields: {
    model: { type: 'string', title: 'Model' },
    system_prompt: {
      type: 'string',
      title: 'System prompt',
      format: 'textarea',
      description: 'Comes first in calls that have no system message.',
    },
    temperature: { type: 'number', title: 'Temperature' },
    top_p: { type: 'number', title: 'Top p' },
    max_tokens: { type: 'integer', title: 'Tokens of an answer at most' },
    n: { type: 'integer', title: 'Answers for each call' },
    stop: { type: 'array', items: { type: 'string' }, title: 'Stop at' },
    presence_penalty: { type: 'number', title: 'Presence penalty' },
    frequency_penalty: { type: 'number', title: 'Frequency penalty' },
    logprobs: { ...yesNo, title: 'Log probabilities' },
    reasoning_effort: { type: 'string', enum: ['low', 'medium', 'high'], title: 'Reasoning effort' },
    timeout_ms: { type: 'integer', title: 'Time limit (ms)' },
    response_format: { type: 'object', title: 'Format of the answer' },
    evaluation_enabled: { ...yesNo, title: 'Sentinels judge its calls' },
    apply_corrections: { ...yesNo, title: 'Corrections are applied', description: 'Needs sentinels.' },
    safe_mode: { ...yesNo, title: 'Safe mode', description: 'Needs corrections.' },
    fallback_config: { type: 'object', title: 'Fallback' },
    metadata: { type: 'object', title: 'Metadata of each request' },
  },
};
const FIELDS = Object.entries(FORM.fields) as [keyof Config, { title: string }][];

const shown = (value: unknown): string => {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return count(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text === '{}' || text === '[]' ? '–' : oneLine(text);
};

export const configSection =
  <T extends { id: number }>(of: ConfigOf<T>) =>
  ({ item }: SectionProps<T>) => {
    const { api } = usePortal();
    return (
      <Loaded name={['config', of.level, item.id]} load={(signal) => of.load(api, item, signal)}>
        {(view) => <ConfigTable of={of} item={item} view={view} />}
      </Loaded>
    );
  };

function ConfigTable<T extends { id: number }>({ of, item, view }: { of: ConfigOf<T>; item: T; view: ConfigView }) {
  const { api, say } = usePortal();
  const cache = useQueryClient();
  const [dialog, setDialog] = useState<'edit' | 'reset' | null>(null);
  const [error, setError] = useState<unknown>(null);
  const changed = (now: ConfigView, said: string): void => {
    setError(null);
    say(said);
    // Inherited values change elsewhere too: they are loaded again when they are shown.
    void cache.invalidateQueries({ queryKey: ['config'], refetchType: 'none' });
    cache.setQueryData(['config', of.level, item.id], now);
  };
  const resetOne = (name: keyof Config, title: string): void => {
    of.update(api, item, { [name]: null }).then((now) => changed(now, `${title} is reset.`), setError);
  };
  const own = Object.keys(view.config).length;
  const links = of.links?.(item) ?? {};
  return (
    <div class="stack">
      <div class="bar">
        <ScopedButton scope="write" kind="primary" act={() => setDialog('edit')}>
          Change the configuration
        </ScopedButton>
        {of.reset && own > 0 && (
          <ScopedButton scope="write" act={() => setDialog('reset')}>
            Reset all
          </ScopedButton>
        )}
      </div>
      <Failure error={error} />
      {own === 0 && <p class="soft">Nothing is set here: every value is inherited.</p>}
      <Table label="Configuration" columns={['Setting', 'Value', 'Comes from']} actions>
        {FIELDS.map(([name, { title }]) => {
          const source = view.inherited_from[name] ?? 'default';
          const link = links[source];
          const isOwn = source === of.level;
          return (
            <tr key={name}>
              <td>{title}</td>
              <td>{shown(view.effective_config[name])}</td>
              <td class={isOwn ? '' : 'soft'}>
                {isOwn ? (
                  <b>set here</b>
                ) : link === undefined ? (
                  WORDS[source]
                ) : (
                  <Link href={link}>{WORDS[source]}</Link>
                )}
              </td>
              <td>
                {isOwn && name in view.config && (
                  <ScopedButton scope="write" kind="plain" act={() => resetOne(name, title)}>
                    Reset<span class="visually-hidden"> {title}</span>
                  </ScopedButton>
                )}
              </td>
            </tr>
          );
        })}
      </Table>
      {dialog === 'edit' && (
        <ItemFormDialog
          title="Change the configuration"
          action="Save"
          form={FORM}
          given={view.config as Record<string, unknown>}
          submit={async (value, begun) => {
            const change = changeOf(Object.keys(FORM.fields), begun, value);
            const now = Object.keys(change).length > 0 ? await of.update(api, item, change as Config) : view;
            setDialog(null);
            changed(now, 'Saved.');
          }}
          close={() => setDialog(null)}
        />
      )}
      {dialog === 'reset' && (
        <Question
          title="Reset the configuration?"
          action="Reset all"
          act={async () => {
            if (of.reset) changed(await of.reset(api, item), 'Every value is inherited again.');
          }}
          close={() => setDialog(null)}
        >
          <p>What is set here is removed: {own} of the values above.</p>
        </Question>
      )}
    </div>
  );
}
