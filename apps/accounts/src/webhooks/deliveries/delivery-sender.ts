import { Injectable } from '@nestjs/common';
import { Egress, isEgressError } from '@signalbox/egress';
import { signatureOf } from '../webhook-secrets.js';
import { WebhookTargets } from '../webhook-targets.js';
import { Webhooks } from '../webhooks.repository.js';
import type { PendingDelivery } from './attempts.repository.js';
import { type Attempt, isAccepted } from './delivery.js';

const TIMEOUT_MS = 10_000;
const EXCERPT_CHARS = 2048;

/** Never throws for what a target does. */
@Injectable()
export class DeliverySender {
  constructor(
    private readonly egress: Egress,
    private readonly webhooks: Webhooks,
    private readonly targets: WebhookTargets,
  ) {}

  async send(companyId: number, delivery: PendingDelivery, signal: AbortSignal): Promise<Attempt> {
    const allow = await this.targets.allowOf(companyId);
    const { url, request_body: body } = delivery;
    const secrets = this.webhooks.secretsOf(companyId, delivery, Date.now());
    const headers = {
      'Content-Type': 'application/json',
      'User-Agent': 'Signalbox-Webhook/1.0',
      'X-Service-Event': delivery.event,
      'X-Service-Delivery': String(delivery.id),
      'X-Service-Signature': signatureOf(secrets, body, Math.floor(Date.now() / 1000)),
    };
    const began = performance.now();
    const durationMs = (): number => Math.round(performance.now() - began);
    try {
      const { status, body: answer } = await this.egress.fetch({
        url,
        method: 'POST',
        headers,
        body,
        allow,
        maxRedirects: 0,
        timeoutMs: TIMEOUT_MS,
        maxBytes: EXCERPT_CHARS * 4,
        signal,
      });
      const error = isAccepted(status) ? null : `the target returned status ${status}`;
      return { statusCode: status, error, excerpt: excerptOf(answer), durationMs: durationMs() };
    } catch (error) {
      if (!isEgressError(error) || signal.aborted) throw error;
      return { statusCode: null, error: error.message, excerpt: '', durationMs: durationMs() };
    }
  }
}

/** Removes what Postgres refuses in a text. */
const excerptOf = (answer: Buffer): string =>
  answer.toString('utf8').replaceAll('\0', '').slice(0, EXCERPT_CHARS).toWellFormed();
