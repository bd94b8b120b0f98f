export interface SessionCount {
  session_id: string;
  application_id: number | null;
  requests: number;
  tokens: number;
  cost: number | null;
  first_at: number;
  last_at: number;
}

export interface Counted {
  session_id: string | null;
  in_session?: boolean;
  application_id: number | null;
  total_tokens: number;
  cost: number | null;
  date_created: number;
}

/** In the order in which sessions are locked. */
export function countsOf(requests: readonly Counted[]): SessionCount[] {
  const counts = new Map<string, SessionCount>();
  for (const request of requests) {
    if (!request.in_session || request.session_id === null) continue;
    const { session_id, application_id, date_created: at } = request;
    const count = counts.get(session_id) ?? {
      session_id,
      application_id,
      requests: 0,
      tokens: 0,
      cost: null,
      first_at: at,
      last_at: at,
    };
    counts.set(session_id, {
      ...count,
      requests: count.requests + 1,
      tokens: count.tokens + request.total_tokens,
      cost: request.cost === null ? count.cost : (count.cost ?? 0) + request.cost,
      first_at: Math.min(count.first_at, at),
      last_at: Math.max(count.last_at, at),
    });
  }
  return [...counts.values()].sort((one, other) => (one.session_id < other.session_id ? -1 : 1));
}
