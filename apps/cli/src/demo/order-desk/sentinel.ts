import type { Application, Completion, Sentinel, Signalbox } from '@signalbox/sdk';
import { JUDGE_MODEL, JUDGE_PATH, RETIRED_MODEL } from './judge-model.js';
import { openModel } from './models.js';

const PROVIDER = 'order-desk-demo';
export const INTENT = 'order_question';
const SENTINEL = 'No echo (demo)';
const CORRECTION = 'We look into your order and call you back within the hour.';

export interface GuardedAnswer {
  text: string;
  corrected: boolean;
  verdict: string;
}

async function connectModels(api: Signalbox, serviceUrl: string): Promise<void> {
  const base_url = `${serviceUrl}${JUDGE_PATH}`;
  const known = (await api.models.listProviders({ limit: 100 }).all()).find(
    ({ provider_name }) => provider_name === PROVIDER,
  );
  const kind = 'openai_compatible' as const;
  const api_key = 'of-the-demo';
  const { id: provider_id } =
    known ?? (await api.models.createProvider({ provider_name: PROVIDER, kind, base_url, api_key }));
  if (known && known.base_url !== base_url) await api.models.updateProvider({ provider_id, base_url, api_key });
  for (const model of [JUDGE_MODEL, RETIRED_MODEL]) await openModel(api, model, provider_id);
}

/** An earlier run may have created it. */
export async function openSentinel(api: Signalbox, home: Application, serviceUrl: string): Promise<Sentinel> {
  await connectModels(api, serviceUrl);
  const intents = await api.intents.list({ application_id: home.id, limit: 100 }).all();
  const intent =
    intents.find(({ action_type }) => action_type === INTENT) ??
    (await api.intents.create({ application_id: home.id, action_type: INTENT }));
  const { intent_group_id } = intent;
  const sentinels = await api.sentinels.list({ intent_group_id, limit: 100 }).all();
  const known = sentinels.find(({ sentinel_name }) => sentinel_name === SENTINEL);
  if (known) return api.sentinels.enable({ sentinel_id: known.id });
  return api.sentinels.create({
    sentinel_name: SENTINEL,
    severity: 3,
    intent_group_id,
    meta: { model: JUDGE_MODEL },
    sentinel_directive: {
      instruction: 'The answer says more than the question.',
      correction: { type: 'STATIC', instruction: CORRECTION },
    },
  });
}

export async function askGuarded(api: Signalbox, home: Application): Promise<GuardedAnswer> {
  const { choices, correction_applied, evaluate_response }: Completion = await api.chat.create({
    model: 'simulated-echo',
    application: home.application_name,
    intent: INTENT,
    messages: [{ role: 'user', content: 'When does my order arrive?' }],
    safe_mode: true,
    apply_corrections: true,
    return_evaluation: true,
  });
  const [choice] = choices as { message: { content: string } }[];
  const [result] = evaluate_response ?? [];
  return {
    text: choice?.message.content ?? '',
    corrected: correction_applied && choice?.message.content === CORRECTION,
    verdict: result ? `${result.status} (${result.description})` : 'none',
  };
}
