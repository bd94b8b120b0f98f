/** What requests add to the counts of their application, intent and model. */
export interface ActivityCount {
  application_id: number;
  /** 0 when the requests have no intent. */
  intent_id: number;
  intent_group_id: number | null;
  model: string;
  requests: number;
  last_at: number;
}

/** The part of a recorded request that counts. */
export interface Active {
  application_id: number | null;
  intent_id: number | null;
  intent_group_id: number | null;
  model: string;
  date_created: number;
}

/** The counts of some requests, in the order in which everybody locks them. */
export function activityCounts(requests: readonly Active[]): ActivityCount[] {
  const counts = new Map<string, ActivityCount>();
  for (const { application_id, intent_id, intent_group_id, model, date_created: at } of requests) {
    if (application_id === null) continue;
    const key = `${order(application_id)} ${order(intent_id ?? 0)} ${model}`;
    const known = counts.get(key);
    const last_at = Math.max(known?.last_at ?? 0, at);
    const place = { application_id, intent_id: intent_id ?? 0, intent_group_id, model };
    counts.set(key, { ...place, requests: (known?.requests ?? 0) + 1, last_at });
  }
  return [...counts].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, count]) => count);
}

const order = (id: number): string => String(id).padStart(10, '0');
