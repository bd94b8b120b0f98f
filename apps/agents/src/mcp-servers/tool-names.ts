/** Length of a function name that model providers accept. */
const MAX_NAME = 64;

/** The name of a tool for a model, which providers accept: the server and the tool. */
export const toolNameOf = (server: string, tool: string): string =>
  `${server}_${tool}`.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, MAX_NAME);

/** Two tools that would have the same name for a model, as a sentence; null when each has its own. */
export function collisionOf(
  servers: readonly { name: string; tools: readonly string[] }[],
  actions: readonly string[] = [],
): string | null {
  const taken = new Map(actions.map((name) => [name, `action ${name}`]));
  for (const { name: server, tools } of servers)
    for (const tool of tools) {
      const name = toolNameOf(server, tool);
      const other = taken.get(name);
      if (other !== undefined) return `${other} and tool ${server}/${tool} would both be called ${name}`;
      taken.set(name, `tool ${server}/${tool}`);
    }
  return null;
}
