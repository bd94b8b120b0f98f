import type { Chain, WebhookActionConfig } from '@signalbox/contracts';
import type { SecretBag } from '@signalbox/egress';
import type { CallAttribution } from '../../models/index.js';
import type { TaskAction } from '../tools.js';
import type { Arguments } from './template.js';

export interface ActionCall {
  companyId: number;
  action: TaskAction;
  arguments: Arguments;
  secrets?: SecretBag | undefined;
  base_url?: string | null;
  taskId: string;
  step: number;
  signal: AbortSignal;
  /** How long a service that the action needs may be down, in ms. */
  downMs?: number;
  /** Absent for a test, which starts a chain of its own. */
  chain?: Chain;
  attribution: CallAttribution;
  application_id?: number | null;
  session_id?: string;
  model?: string | null;
  /** Called before a call that may not be repeated; its outcome is unknown when the process is lost after it. */
  begins?: () => Promise<void>;
  /** An earlier process has begun the call, and its outcome is unknown. */
  wasBegun?: boolean;
  /** Completes the config of a webhook that waits for a callback; such a webhook does not run without it. */
  prepare?: (config: WebhookActionConfig) => WebhookActionConfig;
}
