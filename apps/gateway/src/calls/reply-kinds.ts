import { Injectable } from '@nestjs/common';
import { BusClient, textIn, type WireReply } from '@signalbox/bus';
import {
  ApiError,
  type Caller,
  type Endpoint,
  fieldsOf,
  type InputOf,
  type ListedModel,
  type Model,
  models,
  type Page,
  type RawReply,
} from '@signalbox/contracts';
import { ContentReply, JsonReply, openAiModel, openAiModels, type Reply } from '../replies/index.js';
import { isDownload, type RequestContext } from '../request/index.js';
import { ChunkedReplies, disconnectSignal, EventStreams } from '../streams/index.js';
import type { Call } from './call.js';

@Injectable()
export class ReplyKinds {
  constructor(
    private readonly bus: BusClient,
    private readonly streams: EventStreams,
    private readonly chunked: ChunkedReplies,
  ) {}

  replyTo(call: Call): Promise<Reply> {
    const { route, input, caller, context } = call;
    const { endpoint, chunked, download } = route;
    const values = input as Record<string, unknown>;
    if ('kind' in endpoint.output && endpoint.output.kind === 'stream')
      return this.streams.open({ endpoint, input, caller });
    if (isDownload(endpoint)) return this.chunked.download(context, { endpoint, input, caller });
    if (download && values[download.field] === download.value)
      return this.chunked.download(context, { endpoint: download.endpoint, input, caller });
    if (chunked && values[chunked.flag] === true)
      return this.chunked.completion(context, { endpoint: chunked.endpoint, input, caller });
    if (endpoint.protocol === 'openai') return this.completion(call);
    if (context.bearer && endpoint.bearer) return this.openAiModels(call);
    return this.json(call);
  }

  private async json({ route, input, caller, context }: Call): Promise<Reply> {
    const { endpoint, follow, largeBodyEndpoint } = route;
    const { output } = endpoint;
    const wire = await this.bus.forward(
      largeBodyEndpoint && isLarge(context) ? largeBodyEndpoint : endpoint,
      input,
      caller,
    );
    if (follow && isFlagged(follow.ofReply ? idsIn(wire) : input, follow.flag))
      return this.followReply(follow.stream, { input, caller }, wire);
    if (!('kind' in output) || output.kind === 'list') return enveloped(wire);
    return output.kind === 'page' ? whole(wire) : raw(wire);
  }

  private async completion({ route, input, caller, context }: Call): Promise<Reply> {
    const left = disconnectSignal(context.request.raw.socket);
    return whole(await this.bus.forward(route.endpoint, input, caller, left));
  }

  private followReply(endpoint: Endpoint, call: Pick<Call, 'input' | 'caller'>, wire: WireReply): Promise<Reply> {
    const known = { ...call.input, ...(JSON.parse(textIn(wire)) as object) };
    const input = Object.fromEntries(Object.entries(known).filter(([name]) => fieldsOf(endpoint.input).has(name)));
    // The claim belongs to the call that started the run; reading its events has no effect to repeat.
    const { idempotency: _claim, ...caller } = call.caller;
    return this.streams.open({ endpoint, input: { ...input, last_event_id: 0 }, caller }, wire.headers);
  }

  private async openAiModels({ route: { endpoint }, input, caller }: Call): Promise<Reply> {
    if ('kind' in endpoint.output) return JsonReply.of(openAiModels((await this.enabledModels(input, caller)).data));
    const wire = await this.bus.forward(endpoint, input, caller);
    return JsonReply.of(openAiModel(JSON.parse(textIn(wire)) as Model));
  }

  private async enabledModels(input: object, caller: Caller): Promise<Page<ListedModel>> {
    const { listEnabledModels, listModels } = models.endpoints;
    const asked = input as InputOf<typeof listModels>;
    try {
      return await this.bus.call(listEnabledModels, asked, caller);
    } catch (error) {
      // A traffic process of the previous release does not have the endpoint.
      if (!(error instanceof ApiError) || error.kind !== 'not_found') throw error;
      return this.bus.call(listModels, { ...asked, status: 'ENABLED', offset: 0, limit: 100 }, caller);
    }
  }
}

const enveloped = (wire: WireReply): JsonReply => new JsonReply(`{"data":${textIn(wire)}}`, wire.headers);

const whole = (wire: WireReply): JsonReply => new JsonReply(textIn(wire), wire.headers);

function raw(wire: WireReply): ContentReply {
  const { status, body, contentType, encoding = 'utf8', headers } = JSON.parse(textIn(wire)) as RawReply;
  const content = encoding === 'utf8' ? body : Buffer.from(body, encoding);
  return new ContentReply(content, contentType, { ...wire.headers, ...headers }, status);
}

/** Bytes from which a body counts as large, as does one of unknown length. */
const LARGE_BYTES = 65_536;

const isLarge = ({ request }: RequestContext): boolean =>
  !(Number(request.raw.headers['content-length']) < LARGE_BYTES);

/** A reply that names a stream consists of ids only; longer ones are not parsed. */
const MAX_IDS_BYTES = 1000;

const idsIn = (wire: WireReply): unknown => (wire.body.length > MAX_IDS_BYTES ? null : JSON.parse(textIn(wire)));

const isFlagged = (values: unknown, flag: string): boolean =>
  (values as Record<string, unknown> | null)?.[flag] === true;
