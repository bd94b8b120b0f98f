const MAX_NAME = 64;

export const toolNameOf = (server: string, tool: string): string =>
  `${server}_${tool}`.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, MAX_NAME);

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
