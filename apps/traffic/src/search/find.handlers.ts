import { Inject } from '@nestjs/common';
import { BusClient, Serves } from '@signalbox/bus';
import {
  type CallTo,
  type Caller,
  find,
  FOUND_TYPES,
  type FoundType,
  type Handlers,
  type InputOf,
  NAMES,
  type RankedFound,
  SCOPES_OF_FOUND,
} from '@signalbox/contracts';
import { LOGGER, type Logger, slowdown } from '@signalbox/platform';

type C = typeof find;
type Query = InputOf<C['endpoints']['findResources']>;

/** On an idle machine; a slower service is left out, like one that is down. */
const SERVICE_MS = 5000;

@Serves(find)
export class FindHandlers implements Handlers<C> {
  constructor(
    private readonly bus: BusClient,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async findResources({ input, caller }: CallTo<C, 'findResources'>) {
    // Services call each other without the scope admin, so what the caller may see is decided here.
    const types = (input.types ?? FOUND_TYPES).filter((type) => mayFind(caller, type));
    if (types.length === 0) return [];
    // A service of the previous release refuses types that it does not know, so types are sent only when some are left
    // out.
    const query = types.length === FOUND_TYPES.length ? input : { ...input, types };
    const found = await Promise.all(NAMES.map((contract) => this.inService(contract, query, caller)));
    return found
      .flat()
      .sort(byRank)
      .slice(0, input.limit)
      .map(({ rank: _rank, ...each }) => each);
  }

  private async inService({ endpoints, service }: (typeof NAMES)[number], query: Query, caller: Caller) {
    const deadline = Math.min(caller.deadline, Date.now() + slowdown.allow(SERVICE_MS));
    try {
      return await this.bus.call(endpoints.findNames, query, { ...caller, deadline });
    } catch (error) {
      this.logger.warn({ error, searched: service }, 'resources of a service are left out of the found ones');
      return [];
    }
  }
}

function mayFind({ scopes }: Caller, type: FoundType): boolean {
  const scope = SCOPES_OF_FOUND[type];
  return scope === undefined || scopes.includes(scope);
}

const byRank = (one: RankedFound, other: RankedFound): number =>
  one.rank - other.rank ||
  (one.name?.length ?? 0) - (other.name?.length ?? 0) ||
  (one.name ?? '').localeCompare(other.name ?? '') ||
  one.type.localeCompare(other.type);
