interface SessionOf {
  session_id: string;
  /** Undefined for one of chat completions. */
  agent_id?: number;
}

/** Agents share ids of sessions: a sub-agent has that of its caller, and callers give theirs to several agents. */
export const sessionPath = ({ session_id, agent_id }: SessionOf): string => {
  const path = `/sessions/${encodeURIComponent(session_id)}`;
  return agent_id === undefined ? path : `${path}?agent_id=${agent_id}`;
};

/** The id in the path of a page as the browser has it: that of the router is decoded already, but for some characters. */
export function sessionIdIn(pathname: string): string {
  const encoded = pathname.slice(pathname.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
