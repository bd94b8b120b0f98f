import type { Message, ResponseFormat, Usage } from '@signalbox/contracts';
import { nameTools, type TaskAction } from './tools.js';

/** What of its agent a conversation is made from. */
export interface TaskAgent {
  system_prompt: string | null;
  strategy_prompt_addendum: string | null;
  model: string | null;
  agent_config: Record<string, unknown>;
  actions: readonly TaskAction[];
}

/** What a task was asked, frozen when it began. */
export interface TaskBrief {
  agent: TaskAgent;
  /** Messages of earlier tasks of the session. */
  history: readonly Message[];
  input: readonly Message[];
  responseFormat: ResponseFormat | null;
  maxIterations: number;
  maxCost: number | null;
}

/** A model call that happened. */
export interface ModelStep {
  kind: 'model';
  step_no: number;
  message: Message;
  model: string;
  usage: Usage | null;
  /** Why the answer does not fit the response format; null when it does or asks for actions. */
  problem: string | null;
}

/** An action that ran, failed, or was started in the background. */
export interface ActionStep {
  kind: 'action';
  step_no: number;
  call_id: string;
  status: 'SUCCESS' | 'ERROR' | 'TIMEOUT' | 'PENDING';
  /** Only success or failure is fed back. */
  outcomeOnly: boolean;
  background: boolean;
  output: unknown;
  error_message: string | null;
  usage: Usage | null;
}

/** One recorded step of a task. */
export type Step = ModelStep | ActionStep;

/** The extra prompt and model of one kind of step, from `agent_config.steps`. */
export function stepConfig(agent: TaskAgent, step: 'orchestrate' | 'respond'): { model?: string; prompt?: string } {
  const steps = agent.agent_config['steps'] as Record<string, { model?: unknown; prompt?: unknown }> | undefined;
  const { model, prompt } = steps?.[step] ?? {};
  return {
    ...(typeof model === 'string' ? { model } : {}),
    ...(typeof prompt === 'string' ? { prompt } : {}),
  };
}

/** What the agent is told before anything else. */
export function systemMessages(agent: TaskAgent): Message[] {
  const chooses = nameTools(agent.actions).length > 0;
  const parts = [
    agent.system_prompt,
    chooses ? agent.strategy_prompt_addendum : null,
    stepConfig(agent, chooses ? 'orchestrate' : 'respond').prompt,
  ];
  const content = parts.filter(Boolean).join('\n\n');
  return content ? [{ role: 'system', content }] : [];
}

const MAX_FED = 64 * 1024;

/** The result of an action as the model reads it. */
export function fedBack(step: ActionStep): string {
  if (step.background) return JSON.stringify({ status: 'STARTED' });
  if (step.status !== 'SUCCESS')
    return JSON.stringify({
      status: step.status,
      error: step.error_message,
      ...(step.outcomeOnly || step.output == null ? {} : { output: step.output }),
    }).slice(0, MAX_FED);
  if (step.outcomeOnly) return JSON.stringify({ status: 'SUCCESS' });
  const text = typeof step.output === 'string' ? step.output : JSON.stringify(step.output ?? null);
  return text.slice(0, MAX_FED);
}

const again = (problem: string): Message => ({
  role: 'user',
  content: `Your answer cannot be used: ${problem}. Answer again with nothing but JSON of the requested form.`,
});

/** Everything said so far, as the next model call reads it. */
export function messagesOf(brief: TaskBrief, steps: readonly Step[]): Message[] {
  const said = steps.flatMap((step): Message[] => {
    if (step.kind === 'action') return [{ role: 'tool', tool_call_id: step.call_id, content: fedBack(step) }];
    return step.problem === null ? [step.message] : [step.message, again(step.problem)];
  });
  return [...systemMessages(brief.agent), ...brief.history, ...brief.input, ...said];
}

const MAX_HISTORY = 40;

/**
 * What a task remembers of its session: the questions and answers of completed tasks, the last 40 messages.
 * Chosen: tool calls and system messages stay behind; they were the business of the task that made them.
 */
export function historyOf(earlier: readonly { input_messages: Message[]; output: Message | null }[]): Message[] {
  const spoken = earlier
    .flatMap(({ input_messages: input, output }) => (output ? [...input, output] : input))
    .filter(({ role, tool_calls: calls }) => (role === 'user' || role === 'assistant') && !calls?.length);
  return spoken.slice(-MAX_HISTORY);
}
