import { useState } from 'preact/hooks';
import type { McpServerSummary } from '@signalbox/sdk';
import { usePortal } from '../../api/portal.js';
import { Dialog } from '../../parts/dialog.js';
import { Form } from '../../parts/form.js';
import { type Secret, SecretFields, secretsOf } from '../../parts/secret-fields.js';
import { count } from '../../rules/formats.js';

const PLACEHOLDER = /\{\{\s*secrets\.([A-Za-z_][A-Za-z0-9_]{0,63})\s*\}\}/g;

const neededBy = ({ headers }: McpServerSummary): Secret[] =>
  [
    ...new Set(Object.values(headers).flatMap((text) => [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name))),
  ].map((name) => ({ name, value: '' }));

export function McpRefresh({
  item,
  changed,
  close,
}: {
  item: McpServerSummary;
  changed: () => void;
  close: () => void;
}) {
  const { api, say } = usePortal();
  const [secrets, setSecrets] = useState<Secret[]>(() => neededBy(item));
  async function refresh(): Promise<void> {
    try {
      const { tool_count } = await api.mcpServers.refresh({ mcp_server_id: item.id, secrets: secretsOf(secrets) });
      say(`It has ${count(tool_count)} tools.`);
      close();
    } finally {
      changed();
    }
  }
  return (
    <Dialog title={`Refresh ${item.name}`} close={close}>
      <Form submit={refresh} action="Ask it now">
        <p class="soft">The server is asked for its tools. Published agents keep those that they have.</p>
        <SecretFields secrets={secrets} change={setSecrets} />
      </Form>
    </Dialog>
  );
}
