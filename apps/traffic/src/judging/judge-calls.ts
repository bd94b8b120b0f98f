import { Injectable } from '@nestjs/common';
import { BusClient, serviceCaller } from '@signalbox/bus';
import { CompanyProfiles } from '@signalbox/clients';
import {
  addUsage,
  ApiError,
  chat,
  type ChatCall,
  type ChatResult,
  type FailureClass,
  type Message,
  NO_USAGE,
  type ResponseFormat,
  type Usage,
} from '@signalbox/contracts';

/** Attempts to get a usable reply; failures of the provider are retried by the call itself. */
const MAX_TRIES = 3;

export interface Question<Reply> {
  companyId: number;
  /** Null: the judge model of the company. */
  model: string | null;
  temperature: number;
  messages: Message[];
  format: ResponseFormat;
  metadata: Record<string, unknown>;
  /** What its requests are recorded under; null for one that belongs to no run. */
  originId: string | null;
  read: (content: unknown) => Reply | null;
  deadline: number;
}

/** `usage` is the sum of all tries. */
export type JudgeReply<Reply> = { usage: Usage } & (
  { reply: Reply; failure: null } | { reply: null; failure: { failure_class: FailureClass; message: string } }
);

/** Asks models for structured replies; their calls are recorded as requests of type SYNTHETIC and origin EVALUATION. */
@Injectable()
export class JudgeCalls {
  constructor(
    private readonly bus: BusClient,
    private readonly profiles: CompanyProfiles,
  ) {}

  /** Throws only when a dependency of the platform is down or the caller has left; other failures are returned. */
  async ask<Reply>(question: Question<Reply>, signal: AbortSignal): Promise<JudgeReply<Reply>> {
    const { companyId } = question;
    const model = question.model ?? (await this.profiles.ofCompany(companyId)).settings.judge_model;
    let total: Usage = NO_USAGE;
    try {
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const { message, usage } = await this.call(question, model, signal);
        total = addUsage(total, usage);
        const reply = question.read(message.content);
        if (reply !== null) return { reply, failure: null, usage: total };
      }
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ApiError) || error.kind === 'unavailable') throw error;
      return { reply: null, failure: { failure_class: failureClassOf(error), message: error.message }, usage: total };
    }
    const message = `model ${model} did not reply in the requested form`;
    return { reply: null, failure: { failure_class: 'judge', message }, usage: total };
  }

  private async call<Reply>(question: Question<Reply>, model: string, signal: AbortSignal): Promise<ChatResult> {
    const { companyId, messages, format, temperature, metadata, originId, deadline } = question;
    const call: ChatCall = {
      model,
      messages,
      response_format: format,
      temperature,
      request_type: 'SYNTHETIC',
      origin: 'EVALUATION',
      ...(originId === null ? {} : { origin_id: originId }),
      metadata,
    };
    const { body } = await this.bus.forward(chat.endpoints.complete, call, serviceCaller(companyId, deadline), signal);
    return JSON.parse(Buffer.from(body).toString()) as ChatResult;
  }
}

/**
 * `refused` is a text test that takes too long, or a format that the model cannot produce; like a model that does not
 * exist, it is a failure of the judge.
 */
export function failureClassOf({ kind }: ApiError): FailureClass {
  if (kind === 'timeout') return 'timeout';
  return kind === 'bad_upstream' || kind === 'rate_limited' ? 'provider' : 'judge';
}
