/** A column that a change of the master key seals anew. */
export interface SealedColumn {
  key: 'PROVIDER_SEAL_KEY' | 'WEBHOOK_SEAL_KEY';
  kind: string;
  service: 'traffic' | 'accounts';
  table: string;
  column: string;
  /** Binds a text to its row. */
  context(companyId: number, id: number): string;
}

export const PROVIDER_KIND = 'provider';
export const WEBHOOK_KIND = 'webhook';
export const PEPPER_KIND = 'pepper';

export const providerContext = (companyId: number, id: number, field: 'api_key' | 'default_headers'): string =>
  `${companyId}:${id}:${field}`;

export const webhookContext = (companyId: number): string => String(companyId);

const provider = { key: 'PROVIDER_SEAL_KEY', kind: PROVIDER_KIND, service: 'traffic', table: 'providers' } as const;
const webhook = { key: 'WEBHOOK_SEAL_KEY', kind: WEBHOOK_KIND, service: 'accounts', table: 'webhooks' } as const;

/** Every column with sealed texts but `accounts.former_peppers`, which belongs to no company. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { ...provider, column: 'api_key_sealed', context: (companyId, id) => providerContext(companyId, id, 'api_key') },
  {
    ...provider,
    column: 'headers_sealed',
    context: (companyId, id) => providerContext(companyId, id, 'default_headers'),
  },
  { ...webhook, column: 'secret', context: webhookContext },
  { ...webhook, column: 'previous_secret', context: webhookContext },
];
