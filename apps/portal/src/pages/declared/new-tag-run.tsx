import type { TagRule } from '@signalbox/sdk';
import { useLocation } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { ItemFormDialog } from '../../declared/item-form.js';
import { RUN_FORM, runOf } from './tag-run-form.js';

export function NewTagRun({ item, close }: { item: TagRule; close: () => void }) {
  const { api } = usePortal();
  const [, go] = useLocation();
  const { rule_ids: _, ...fields } = RUN_FORM.fields;
  return (
    <ItemFormDialog
      title={`Apply ${item.rule_name} to recorded requests`}
      action="Start"
      form={{ ...RUN_FORM, required: [], fields }}
      submit={async (value) => {
        const { id } = await api.tags.createRun(runOf({ ...value, rule_ids: [item.id] }));
        close();
        go(`/tag-runs/${id}`);
      }}
      close={close}
    />
  );
}
