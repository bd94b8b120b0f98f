import type { ImportWarning, ManifestAgent, ManifestRoute } from '@signalbox/contracts';
import { modelsOfAction, modelsOfAgent, type NamedModel } from '../models/index.js';
import type { FullManifest, Handoff } from './manifest.js';

export interface Targets {
  has: (name: string) => boolean;
  /** `latest` is resolved as well; null when there is no such version. */
  versionOf: (name: string, version: string) => string | null;
  hasRelease: (name: string, release: string) => boolean;
}

export function withTargets(
  manifest: FullManifest,
  at: number,
  targets: Targets,
  warnings: ImportWarning[],
): FullManifest {
  const path = `agents[${at}]`;
  const handoffs = manifest.handoffs.flatMap((handoff, index): Handoff[] => {
    const here = `${path}.handoffs[${index}]`;
    if (targets.has(handoff.name)) return [pinned(handoff, here, targets, warnings)];
    warnings.push({ path: here, message: `agent ${handoff.name} is not in the application: the handoff is left out` });
    return [];
  });
  const reached = new Set(handoffs.map(({ name }) => name));
  const route = (given: ManifestRoute, here: string, unset: ManifestRoute['type']): ManifestRoute => {
    if (given.agent == null || reached.has(given.agent)) return given;
    warnings.push({
      path: `${here}.agent`,
      message: `agent ${given.agent} is not in the application: routed to ${unset}`,
    });
    return { type: unset };
  };
  const { config, rules } = manifest.routing;
  return {
    ...manifest,
    handoffs,
    routing: {
      config: { ...config, default: route(config.default, `${path}.routing.config.default`, 'llm') },
      rules: rules.map((rule, index) => ({
        ...rule,
        route: route(rule.route, `${path}.routing.rules[${index}].route`, 'none'),
      })),
    },
  };
}

function pinned(handoff: Handoff, path: string, targets: Targets, warnings: ImportWarning[]): Handoff {
  const { name, version, release } = handoff;
  const left = { ...handoff };
  if (version !== null) {
    left.version = targets.versionOf(name, version);
    if (left.version === null)
      warnings.push({ path: `${path}.version`, message: `agent ${name} has no version ${version}` });
  }
  if (release !== null && !targets.hasRelease(name, release)) {
    warnings.push({ path: `${path}.release`, message: `agent ${name} has no release ${release}` });
    left.release = null;
  }
  return left;
}

export const modelsOfManifest = (agents: readonly ManifestAgent[]): NamedModel[] =>
  agents.flatMap((agent, at) => [
    ...modelsOfAgent(agent, `agents[${at}].`),
    ...(agent.actions ?? []).flatMap(({ action_config }, index) =>
      modelsOfAction(action_config, `agents[${at}].actions[${index}].`),
    ),
  ]);

export function withKnownModels(
  agents: readonly ManifestAgent[],
  unknown: readonly NamedModel[],
  warnings: ImportWarning[],
): ManifestAgent[] {
  const left = structuredClone(agents) as ManifestAgent[];
  for (const { field, model } of unknown) {
    warnings.push({ path: field, message: `model ${model} does not exist: it is left unset` });
    unset(left, field);
  }
  return left;
}

function unset(agents: ManifestAgent[], path: string): void {
  const names = path
    .split(/[.[\]]+/)
    .filter(Boolean)
    .slice(1);
  const last = names.pop() ?? '';
  const holder = names.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], agents);
  (holder as Record<string, unknown>)[last] = null;
}

export function withServers<Agent extends { mcp_servers: string[] }>(
  agent: Agent,
  at: number,
  known: ReadonlyMap<string, number>,
  warnings: ImportWarning[],
): Agent {
  for (const [index, name] of agent.mcp_servers.entries())
    if (!known.has(name))
      warnings.push({
        path: `agents[${at}].mcp_servers[${index}]`,
        message: `there is no MCP server ${name}: it was left out`,
      });
  return { ...agent, mcp_servers: [...new Set(agent.mcp_servers)].filter((name) => known.has(name)) };
}
