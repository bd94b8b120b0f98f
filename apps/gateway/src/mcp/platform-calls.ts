import { type BusClient, textIn } from '@signalbox/bus';
import {
  ApiError,
  type Caller,
  type Endpoint,
  type EndpointDeclaration,
  type OutputOf,
  parse,
  type Scope,
} from '@signalbox/contracts';
import { isGranted, type NamedEndpoint } from './api-endpoints.js';

/** Clients commonly wait for 60 s. */
export const CALL_MS = 50_000;
/** Characters from which a body goes to the endpoint for large ones. */
const LARGE_LENGTH = 65_536;

export class PlatformCalls {
  constructor(
    private readonly bus: BusClient,
    private readonly caller: Caller,
    private readonly signal: AbortSignal,
  ) {}

  get granted(): readonly Scope[] {
    return this.caller.scopes;
  }

  get leftMs(): number {
    return this.caller.deadline - Date.now();
  }

  /** Validates the input. Throws 400 and the errors of the service. */
  async call<E extends EndpointDeclaration>(endpoint: Endpoint & E, input: object): Promise<OutputOf<E['output']>> {
    const valid = parse(endpoint.input, input);
    return JSON.parse(await this.send(endpoint, valid)) as OutputOf<E['output']>;
  }

  /** Returns the JSON text that the API would reply with. Throws 403 without the scope of the endpoint. */
  async request({ route, path, query }: NamedEndpoint, body: unknown): Promise<string> {
    if (!isGranted(route.endpoint, this.granted))
      throw new ApiError('missing_scope', `missing scope: ${route.endpoint.scope}`);
    const input = route.reader.read(path, query, route.body === 'none' ? undefined : body);
    const isLarge = route.largeBodyEndpoint !== null && JSON.stringify(body ?? null).length > LARGE_LENGTH;
    const text = await this.send(isLarge && route.largeBodyEndpoint ? route.largeBodyEndpoint : route.endpoint, input);
    const { output } = route.endpoint;
    return 'kind' in output && output.kind === 'page' ? text : `{"data":${text}}`;
  }

  private async send(endpoint: Endpoint, input: object): Promise<string> {
    return textIn(await this.bus.forward(endpoint, input, this.caller, this.signal));
  }
}
