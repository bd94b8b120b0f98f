import { useEffect, useState } from 'preact/hooks';
import type { Found, SearchResult, Signalbox } from '@signalbox/sdk';
import { usePortal } from '../../api/portal.js';
import { sessionPath } from '../../rules/session-path.js';

export interface Choice {
  title: string;
  kind: string;
  /** A page of the portal, an external one, or a question that is answered here. */
  open: { page: string } | { outside: string } | { question: string };
}

const PAUSE_MS = 100;
const FOUND = 20;
const ENDPOINTS = 5;
const AGAIN = 5;
const AGAIN_MS = 1500;
/** Whole ids are not searched among the endpoints. */
const IS_ID = /^(\d+|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/;
const KEY = 'svk_';
const PAGES: Record<Found['type'], (id: string, parent: string) => string> = {
  agent: (id) => `/agents/${id}`,
  agent_action: (_id, agent) => `/agents/${agent}`,
  agent_task: (id) => `/runs/task/${id}`,
  api_key: () => '/settings/keys',
  application: (id) => `/applications/${id}`,
  composition: (id) => `/compositions/${id}`,
  dataset: (id) => `/datasets/${id}`,
  evaluation_criteria: (id) => `/criteria/${id}`,
  evaluation_run: (id) => `/evaluations/${id}`,
  finetune_run: (id) => `/finetune-runs/${id}`,
  intent: (id, application) => `/applications/${application}/intents/${id}`,
  intent_group: (id) => `/intent-groups/${id}`,
  mcp_server: (id) => `/mcp-servers/${id}`,
  model: (id) => `/models/${id}`,
  model_provider: (id) => `/providers/${id}`,
  monitor: (id) => `/monitors/${id}`,
  tag: (id) => `/tags/${id}`,
  tag_rule: (id) => `/tag-rules/${id}`,
  tag_run: (id) => `/tag-runs/${id}`,
  test_set: (id) => `/test-sets/${id}`,
  test_run: (id) => `/test-runs/${id}`,
  webhook: (id) => `/settings/webhooks/${id}`,
  workflow: (id) => `/workflows/${id}`,
  workflow_run: (id) => `/runs/workflow/${id}`,
  request: (id) => `/runs/request/${id}`,
  sentinel: (id) => `/sentinels/${id}`,
  session: (id) => sessionPath({ session_id: id }),
};

const ofFound = ({ type, id, name, parent }: Found): Choice => {
  const page = PAGES[type](String(id), String(parent?.id));
  const kind = type.replaceAll('_', ' ') + (parent?.name == null ? '' : ` of ${parent.name}`);
  return { title: name ?? String(id), kind, open: { page } };
};
const ofEndpoint = ({ kind, method, path, summary }: SearchResult): Choice[] =>
  kind === 'endpoint' && method !== undefined && path !== undefined
    ? [{ title: `${method} ${path}`, kind: summary, open: { outside: `/docs#${method} ${path}` } }]
    : [];

/** Filtered here, so that a typed key is not sent. */
async function keysLike(api: Signalbox, asked: string, signal: AbortSignal): Promise<Choice[]> {
  const keys = await api.apiKeys.list({ limit: 100 }, { signal }).all();
  return keys
    .filter(({ key_prefix, last4 }) => {
      const prefix = key_prefix.toLowerCase();
      return prefix.startsWith(asked) || (asked.startsWith(prefix) && asked.endsWith(last4.toLowerCase()));
    })
    .map(({ name }) => ({ title: name, kind: 'api key', open: { page: '/settings/keys' } }));
}

export function useFound(asked: string): { found: Choice[]; endpoints: Choice[] } {
  const { api } = usePortal();
  const [found, setFound] = useState<Choice[]>([]);
  const [endpoints, setEndpoints] = useState<Choice[]>([]);
  useEffect(() => {
    setFound([]);
    setEndpoints([]);
    if (asked === '') return;
    const stop = new AbortController();
    const { signal } = stop;
    if (asked.startsWith(KEY)) {
      keysLike(api, asked, signal).then(setFound, () => undefined);
      return () => stop.abort();
    }
    let timer = setTimeout(() => {
      void find(AGAIN);
      if (IS_ID.test(asked)) return;
      // A failed search is left out; pages and names remain.
      api.search.documents({ q: asked, surface: 'api', limit: ENDPOINTS }, { signal }).then(
        ({ results }) => setEndpoints(results.flatMap(ofEndpoint)),
        () => undefined,
      );
    }, PAUSE_MS);
    /** Results of a slow service are missing at first: asks again. */
    async function find(times: number): Promise<void> {
      const rows = await api.search.find({ q: asked, limit: FOUND }, { signal }).catch(() => []);
      if (signal.aborted) return;
      setFound(rows.map(ofFound));
      if (rows.length === 0 && times > 0) timer = setTimeout(() => void find(times - 1), AGAIN_MS);
    }
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [asked]);
  return { found, endpoints };
}
