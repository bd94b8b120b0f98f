export { createClient, type Signalbox } from './client.js';
export type { CompletionStream } from './completion-stream.js';
export type { Download } from './download.js';
export * from './errors.js';
export type { EventStream } from './event-stream.js';
export type { CallOptions, ClientOptions, StreamOptions } from './options.js';
export type { Page, PagedList } from './pages.js';
export {
  signWebhook,
  type VerifyOptions,
  verifyWebhook,
  type WebhookEvent,
  WebhookSignatureError,
} from './webhooks.js';
export type * from './generated/families.js';
export type * from './generated/types.js';
