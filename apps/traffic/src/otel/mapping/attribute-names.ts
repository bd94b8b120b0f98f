/**
 * Attributes that are read, in order of preference: the OpenTelemetry GenAI semantic conventions (new, then old),
 * OpenInference, Vercel AI SDK, Traceloop. OpenAI Agents use the first two; the Vercel AI SDK uses the first since its
 * version 7.
 */
export const NAMES = {
  agent_name: ['gen_ai.agent.name', 'agent.name', 'graph.node.id', 'ai.telemetry.functionId'],
  /** The agent that has handed over to this one. */
  handed_over_by: ['graph.node.parent_id'],
  agent_version: ['gen_ai.agent.version', 'service.version'],
  environment: ['deployment.environment.name', 'deployment.environment'],
  session: [
    'gen_ai.conversation.id',
    'session.id',
    'ai.telemetry.metadata.sessionId',
    'traceloop.association.properties.session.id',
    'traceloop.association.properties.session_id',
  ],
  model: ['gen_ai.response.model', 'gen_ai.request.model', 'llm.model_name', 'ai.response.model', 'ai.model.id'],
  /** The response may name a dated release of it. */
  requested_model: ['gen_ai.request.model', 'ai.model.id'],
  provider: ['gen_ai.provider.name', 'gen_ai.system', 'llm.provider', 'llm.system', 'ai.model.provider'],
  response_id: ['gen_ai.response.id', 'ai.response.id'],
  finish_reason: ['gen_ai.response.finish_reasons', 'llm.finish_reason', 'ai.response.finishReason'],
  prompt_tokens: [
    'gen_ai.usage.input_tokens',
    'gen_ai.usage.prompt_tokens',
    'llm.token_count.prompt',
    'ai.usage.inputTokens',
    'ai.usage.promptTokens',
  ],
  completion_tokens: [
    'gen_ai.usage.output_tokens',
    'gen_ai.usage.completion_tokens',
    'llm.token_count.completion',
    'ai.usage.outputTokens',
    'ai.usage.completionTokens',
  ],
  cost: ['gen_ai.usage.cost', 'llm.cost.total'],
  tool_name: ['gen_ai.tool.name', 'tool.name', 'ai.toolCall.name', 'traceloop.entity.name'],
  tool_arguments: [
    'gen_ai.tool.call.arguments',
    'ai.toolCall.args',
    'input.value',
    'traceloop.entity.input',
    // The schema of the arguments, but some emitters have nothing else.
    'tool.parameters',
  ],
  tool_result: ['gen_ai.tool.call.result', 'ai.toolCall.result', 'output.value', 'traceloop.entity.output'],
  error_type: ['error.type', 'exception.type'],
} as const satisfies Record<string, readonly string[]>;

export type Role = 'agent' | 'model' | 'tool';

interface RoleRule {
  attribute: string;
  roles: Readonly<Record<string, Role | undefined>>;
}

/** The first rule whose attribute a span has decides. */
export const ROLES: readonly RoleRule[] = [
  {
    attribute: 'gen_ai.operation.name',
    roles: {
      invoke_agent: 'agent',
      chat: 'model',
      text_completion: 'model',
      generate_content: 'model',
      execute_tool: 'tool',
    },
  },
  { attribute: 'openinference.span.kind', roles: { AGENT: 'agent', LLM: 'model', TOOL: 'tool' } },
  {
    attribute: 'ai.operationId',
    roles: {
      'ai.generateText': 'agent',
      'ai.streamText': 'agent',
      'ai.generateObject': 'agent',
      'ai.streamObject': 'agent',
      'ai.generateText.doGenerate': 'model',
      'ai.streamText.doStream': 'model',
      'ai.generateObject.doGenerate': 'model',
      'ai.streamObject.doStream': 'model',
      'ai.toolCall': 'tool',
    },
  },
  { attribute: 'traceloop.span.kind', roles: { agent: 'agent', tool: 'tool' } },
  { attribute: 'llm.request.type', roles: { chat: 'model', completion: 'model' } },
];

/** Marks model spans of the oldest conventions, which have no attribute for the operation. */
export const MODEL_MARK = 'gen_ai.request.model';

/** Each is a list of messages as JSON. */
export const MESSAGES = {
  input: ['gen_ai.input.messages', 'ai.prompt.messages', 'ai.prompt'],
  output: ['gen_ai.output.messages'],
} as const;

export const INSTRUCTIONS = ['gen_ai.system_instructions'] as const;

/** Lists of messages in numbered attributes: `<prefix>.<number>.<infix><field>`. */
export const NUMBERED = {
  input: [
    { prefix: 'llm.input_messages', infix: 'message.' },
    { prefix: 'gen_ai.prompt', infix: '' },
  ],
  output: [
    { prefix: 'llm.output_messages', infix: 'message.' },
    { prefix: 'gen_ai.completion', infix: '' },
  ],
} as const;

/** A span event that has the lists of messages as attributes in place of its span. */
export const DETAILS_EVENT = 'gen_ai.client.inference.operation.details';

/** Messages as span events of the oldest conventions, by the role of the message. */
export const MESSAGE_EVENTS: Readonly<Record<string, string>> = {
  'gen_ai.system.message': 'system',
  'gen_ai.user.message': 'user',
  'gen_ai.assistant.message': 'assistant',
  'gen_ai.tool.message': 'tool',
};
export const CHOICE_EVENT = 'gen_ai.choice';
/** A message as JSON; other emitters put its fields into attributes of the event. */
export const EVENT_CONTENT = 'gen_ai.event.content';

export const TEXTS = {
  input: ['input.value', 'traceloop.entity.input'],
  output: ['ai.response.text', 'ai.response.object', 'output.value', 'traceloop.entity.output'],
} as const;

/** Calls of tools in an answer that are not part of a message. */
export const TOOL_CALLS = ['ai.response.toolCalls'] as const;

export const EVALUATION = {
  eventName: 'gen_ai.evaluation.result',
  name: ['gen_ai.evaluation.name'],
  score: ['gen_ai.evaluation.score.value'],
  label: ['gen_ai.evaluation.score.label'],
  explanation: ['gen_ai.evaluation.explanation'],
} as const;
