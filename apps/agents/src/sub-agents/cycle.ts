export interface Link {
  agent_id: number;
  child_agent_id: number;
}

export function wouldCycle(links: readonly Link[], parentId: number, childId: number): boolean {
  const children = new Map<number, number[]>();
  for (const { agent_id, child_agent_id } of links)
    children.set(agent_id, [...(children.get(agent_id) ?? []), child_agent_id]);
  const seen = new Set<number>();
  const waiting = [childId];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (at === parentId) return true;
    if (seen.has(at)) continue;
    seen.add(at);
    waiting.push(...(children.get(at) ?? []));
  }
  return false;
}
