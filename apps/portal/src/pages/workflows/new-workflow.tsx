import { useState } from 'preact/hooks';
import { useQuery } from '@tanstack/preact-query';
import { usePortal } from '../../api/portal.js';
import { Dialog } from '../../parts/dialog.js';
import { Field, Form } from '../../parts/form.js';
import { type Example, EXAMPLES } from './examples.js';

const MAX_SLUG = 64;

export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, MAX_SLUG);

export function NewWorkflow({ close, made }: { close: () => void; made: (id: number) => void }) {
  const { api } = usePortal();
  const [chosen, setChosen] = useState(0);
  const [name, setName] = useState('');
  const [refName, setRefName] = useState<string | null>(null);
  const languages = useQuery({
    queryKey: ['languages'],
    queryFn: ({ signal }) => api.workflows.listLanguages({}, { signal }),
  });
  const example = EXAMPLES[chosen];
  const shownName = name || (example?.name ?? '');

  async function make({ workflow_name = '', workflow_ref_name = '' }: Record<string, string>) {
    if (!example) return;
    const { id } = await api.workflows.create({ ...example.fields, workflow_name, workflow_ref_name });
    close();
    made(id);
  }
  return (
    <Dialog title="New workflow" close={close}>
      <Form submit={make} action="Make it">
        <fieldset>
          <legend>Begin with</legend>
          {EXAMPLES.map((each, n) => (
            <Choice
              key={each.key}
              example={each}
              isChosen={n === chosen}
              isAvailable={languages.data?.find(({ language }) => language === each.fields.language)?.available ?? true}
              choose={() => setChosen(n)}
            />
          ))}
        </fieldset>
        <Field label="Name">
          <input
            name="workflow_name"
            required
            maxLength={200}
            autofocus
            value={shownName}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </Field>
        <Field label="Reference name" hint="Callers and other workflows use it. It cannot be changed later.">
          <input
            name="workflow_ref_name"
            class="mono"
            required
            maxLength={MAX_SLUG}
            value={refName ?? slugOf(shownName)}
            onInput={({ currentTarget }) => setRefName(currentTarget.value)}
          />
        </Field>
      </Form>
    </Dialog>
  );
}

interface ChoiceProps {
  example: Example;
  isChosen: boolean;
  isAvailable: boolean;
  choose: () => void;
}

const Choice = ({ example: { key, title, says }, isChosen, isAvailable, choose }: ChoiceProps) => (
  <label class="option">
    <input type="radio" name="example" value={key} checked={isChosen} disabled={!isAvailable} onChange={choose} />
    <span>
      <b>{title}</b>
      <small>{isAvailable ? says : 'This server does not run its language.'}</small>
    </span>
  </label>
);
