import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { chat, type ChatCall, models, providers } from '@signalbox/contracts';
import { eventually, type ModelProvider, Platform, startModelProvider } from '@signalbox/testing';

/** A platform with the services that model calls need, and a provider in the outside world. */
export interface Traffic {
  platform: Platform;
  world: ModelProvider;
  stop(): Promise<void>;
}

export const KEY = 'sk-canary-0123456789-abcdefgh';
export const LIST = { offset: 0, limit: 100, sort: '-id' };

/** On the shared platform, or on a separate one when a setting differs. */
export async function startTraffic({
  agents,
  monitors,
  gateway,
  env,
  durable = false,
}: {
  durable?: boolean;
  agents?: boolean;
  monitors?: boolean;
  gateway?: boolean;
  env?: Record<string, string>;
} = {}): Promise<Traffic> {
  const world = await startModelProvider({ apiKey: KEY });
  const services = [
    'accounts',
    'traffic',
    ...(agents ? ['agents', 'workflows'] : []),
    ...(monitors ? ['monitors'] : []),
    // What the deletions of models and intent groups ask.
    ...(agents || monitors ? ['training'] : []),
    ...(gateway ? ['gateway'] : []),
  ];
  const platform =
    durable || env
      ? await Platform.start({ services, env: { EGRESS_ALLOW: `127.0.0.1:${world.port}`, ...env }, durable })
      : await Platform.shared(services);
  return { platform, world, stop: () => platform.stop().finally(() => world.close()) };
}

/** A company with a provider and a model `m` on it; `prepare` runs before its first call. */
export async function withModel(
  { platform, world }: Traffic,
  more: Partial<{ timeout_ms: number }> = {},
  prepare: (companyId: number) => Promise<unknown> = () => Promise.resolve(),
) {
  const { companyId, key } = await platform.company();
  await prepare(companyId);
  const provider = await platform.bus.call(
    providers.endpoints.createProvider,
    { ...newProvider(world.url), api_key: KEY, ...more },
    platform.caller(companyId),
  );
  const model = await platform.bus.call(
    models.endpoints.createModel,
    { ...newModel('m', provider.id), input_price_per_mtok: 1, output_price_per_mtok: 2 },
    platform.caller(companyId),
  );
  return { companyId, key, provider, model };
}

export const newProvider = (base_url: string) => ({
  provider_name: 'outside',
  kind: 'openai_compatible' as const,
  base_url,
  default_headers: {},
  timeout_ms: 60_000,
  status: 'ENABLED' as const,
});

export const newModel = (model_name: string, provider_id: number) => ({
  model_name,
  provider_id,
  supports_tools: true,
  supports_json_schema: true,
  trainable: false,
  status: 'ENABLED' as const,
});

/** A call of a model as another service makes it. */
export function ask({ platform }: Traffic, companyId: number, text: string, more: Partial<ChatCall> = {}, ms = 15_000) {
  const call = { messages: [{ role: 'user' as const, content: text }], request_type: 'PROD' as const, metadata: {} };
  const caller = platform.caller(companyId, { deadline: Date.now() + ms });
  return platform.bus.call(chat.endpoints.complete, { ...call, ...more }, caller);
}

/** The recorded calls of a company, oldest first. */
export async function rowsOf({ platform }: Traffic, companyId: number): Promise<Record<string, unknown>[]> {
  const { rows } = await platform.sql.query<{ row: Record<string, unknown> }>(
    'SELECT to_jsonb(t) AS row FROM traffic.requests t WHERE company_id = $1 ORDER BY id',
    [companyId],
  );
  return rows.map(({ row }) => row);
}

/** The same once there are so many. */
export function recorded(traffic: Traffic, companyId: number, count: number, limitMs = 30_000) {
  const enough = async () => {
    // Postgres may be away.
    const rows = await rowsOf(traffic, companyId).catch(() => []);
    return rows.length >= count ? rows : undefined;
  };
  return eventually(`${count} recorded calls`, enough, limitMs);
}

/** Resolves when no record waits in the spool of a data directory; Postgres has them all then. */
export function drained(dataDir: string, limitMs = 30_000): Promise<boolean> {
  const spool = join(dataDir, 'spool', 'traffic');
  return eventually(
    'the spool is empty',
    async () => {
      const logs = (await readdir(spool)).filter((name) => name.endsWith('.log'));
      const sizes = logs.map((name) =>
        stat(join(spool, name)).then(
          ({ size }) => size,
          () => 0,
        ),
      );
      return (await Promise.all(sizes)).every((size) => size === 0);
    },
    limitMs,
  );
}

/** How a call was refused. */
export async function refusal(
  call: Promise<unknown>,
): Promise<{ status: number; code: string | undefined; message: string }> {
  const error = (await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )) as { status: number; message: string; extras: { code?: string } } | undefined;
  return { status: error?.status ?? 200, code: error?.extras.code, message: error?.message ?? '' };
}
