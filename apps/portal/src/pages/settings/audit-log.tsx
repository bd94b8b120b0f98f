import { useState } from 'preact/hooks';
import type { AuditEntry, AuditLogListInput } from '@signalbox/sdk';
import { usePortal } from '../../api/portal.js';
import { Dialog } from '../../parts/dialog.js';
import { Empty } from '../../parts/empty.js';
import { Field } from '../../parts/form.js';
import { JsonView } from '../../parts/json-view.js';
import { Loaded } from '../../parts/loaded.js';
import { useParam } from '../../parts/param.js';
import { type Column, Rows } from '../../parts/rows.js';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';
import { type Change, changesOf, wordsOf } from '../../rules/changes.js';
import { NoAdmin } from './no-admin.js';

const ACTIONS = [
  ...['create', 'update', 'delete', 'publish', 'release_move', 'gate_override', 'enable', 'disable', 'revoke'],
  ...['rotate', 'secret_rotate', 'import', 'reset', 'score', 'mcp_call'],
];

export function AuditLog() {
  const { api, can } = usePortal();
  if (!can('admin')) return <NoAdmin title="Audit log" />;
  return (
    <div class="page">
      <div class="head">
        <h1>Audit log</h1>
      </div>
      <Loaded name={['keys']} load={(signal) => api.apiKeys.list({ limit: 100 }, { signal }).all()}>
        {(keys) => <Entries names={new Map(keys.map(({ id, name }) => [id, name]))} />}
      </Loaded>
    </div>
  );
}

function Entries({ names }: { names: Map<number, string> }) {
  const { api } = usePortal();
  const [action, setAction] = useParam('action');
  const [type, setType] = useParam('resource_type');
  const [id, setId] = useParam('resource_id');
  const [opened, setOpened] = useState<AuditEntry | null>(null);
  const actor = (key: number | null): string => (key === null ? 'operator' : (names.get(key) ?? `key ${key}`));
  const filters = {
    ...(action ? { action: [action] } : {}),
    ...(type ? { resource_type: [type] } : {}),
    ...(id ? { resource_id: id } : {}),
  } as AuditLogListInput;
  const columns: Column<AuditEntry>[] = [
    { title: 'Action', width: '120px', cell: (entry) => wordsOf(entry.action) },
    { title: 'What', width: '2fr', cell: (entry) => `${wordsOf(entry.resource_type)} ${entry.resource_id}` },
    { title: 'By', width: '1fr', cell: ({ actor_key_id }) => actor(actor_key_id) },
    {
      title: 'Changed',
      width: '2fr',
      cell: ({ before, after }) => changesOf(before, after).map(nameOf).join(', ') || '–',
    },
    { title: 'When', width: '110px', cell: ({ date_created }) => <Time at={date_created} /> },
  ];
  return (
    <>
      <div class="bar">
        <Field label="Action">
          <select value={action} onChange={({ currentTarget }) => setAction(currentTarget.value)}>
            <option value="">any</option>
            {ACTIONS.map((name) => (
              <option key={name} value={name}>
                {wordsOf(name)}
              </option>
            ))}
          </select>
        </Field>
        <Field label="Kind of thing">
          <input value={type} onChange={({ currentTarget }) => setType(currentTarget.value.trim())} />
        </Field>
        <Field label="Its id">
          <input value={id} onChange={({ currentTarget }) => setId(currentTarget.value.trim())} />
        </Field>
      </div>
      <Rows<AuditEntry>
        label="Audit log"
        name={['audit', filters]}
        columns={columns}
        load={(offset, limit, signal) => api.auditLog.list({ ...filters, offset, limit }, { signal })}
        open={setOpened}
        empty={<Empty title="No entry matches." />}
      />
      {opened && <Entry entry={opened} actor={actor(opened.actor_key_id)} close={() => setOpened(null)} />}
    </>
  );
}

function Entry({ entry, actor, close }: { entry: AuditEntry; actor: string; close: () => void }) {
  const { before, after } = entry;
  const changes = changesOf(before, after);
  return (
    <Dialog title={`${wordsOf(entry.action)} ${wordsOf(entry.resource_type)} ${entry.resource_id}`} close={close}>
      <p>
        By {actor}, <Time at={entry.date_created} />, request <code>{entry.request_id}</code>
      </p>
      {entry.reason && <p class="why odd">{entry.reason}</p>}
      {changes.length > 0 && (
        <Table label="Changes" columns={['Field', 'Before', 'After']}>
          {changes.map((change) => (
            <tr key={change.field}>
              <td>{change.field}</td>
              <td>{shown(change.before)}</td>
              <td>{shown(change.after)}</td>
            </tr>
          ))}
        </Table>
      )}
      {after && <JsonView label="After" value={after} />}
      {before && <JsonView label="Before" value={before} />}
    </Dialog>
  );
}

const nameOf = ({ field }: Change): string => wordsOf(field);

const shown = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '–');
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
};
