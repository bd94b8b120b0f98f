import { valueAt } from '@signalbox/conditions';
import type {
  AgentConsumer,
  ConsumerKind,
  ExternalConsumer,
  FieldProblem,
  FlattenVariant,
  Message,
  ModelConsumer,
  WorkflowConsumer,
} from '@signalbox/contracts';
import { contentOf } from '../judging/index.js';

export interface CanonicalInput {
  messages?: Message[] | null;
  input?: unknown;
  params?: Record<string, unknown> | null;
}

export interface CallDefaults {
  system_prompt?: string;
  parameters: Record<string, unknown>;
}

export interface Adaptation {
  adapted_input?: Record<string, unknown>;
  warnings: string[];
  errors: FieldProblem[];
}

const adapted = (input: Record<string, unknown>, ...warnings: string[]): Adaptation => ({
  adapted_input: input,
  warnings,
  errors: [],
});
const failed = (field: string, message: string): Adaptation => ({ warnings: [], errors: [{ field, message }] });
const NOTHING = failed('input', 'has neither messages nor an input');
const MAX_MESSAGES = 1000;

const textOfInput = (input: unknown): string => (typeof input === 'string' ? input : JSON.stringify(input));
const messagesIn = ({ messages }: CanonicalInput): Message[] => messages ?? [];
const isSystem = ({ role }: Message): boolean => role === 'system' || role === 'developer';

/** System messages are replaced by the prompt of the run; parameters are those of the request or else of the intent. */
export function adaptForModel(
  item: CanonicalInput,
  { system_prompt }: Pick<ModelConsumer, 'system_prompt'>,
  defaults: CallDefaults = { parameters: {} },
): Adaptation {
  const given = messagesIn(item);
  if (given.length === 0 && item.input === undefined) return NOTHING;
  const messages: Message[] = given.length > 0 ? given : [{ role: 'user', content: textOfInput(item.input) }];
  const parameters = { ...defaults.parameters, ...givenOf(item.params ?? {}) };
  const inherited = messages.some(isSystem) ? null : defaults.system_prompt;
  const prompt = system_prompt ?? inherited;
  if (prompt == null) return adapted({ messages, ...parameters });
  const prompted = [{ role: 'system', content: prompt }, ...messages.filter((message) => !isSystem(message))];
  if (prompted.length > MAX_MESSAGES) return failed('input.messages', `are more than ${MAX_MESSAGES}`);
  return adapted({ messages: prompted, ...parameters });
}

export const givenOf = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value != null));

/** The input, or fields taken from it by the mapping, and the messages. */
export function adaptForWorkflow(
  item: CanonicalInput,
  { input_mapping }: Pick<WorkflowConsumer, 'input_mapping'>,
): Adaptation {
  const mapped = Object.entries(input_mapping);
  const messages = messagesIn(item).length > 0 ? { messages: messagesIn(item) } : {};
  if (mapped.length === 0)
    return item.input === undefined && !('messages' in messages)
      ? NOTHING
      : adapted({ ...(item.input === undefined ? {} : { input: item.input }), ...messages });
  const input: Record<string, unknown> = {};
  const errors: FieldProblem[] = [];
  for (const [name, path] of mapped) {
    const value = valueAt(item.input, path);
    if (value === undefined) errors.push({ field: `input_mapping.${name}`, message: `finds nothing at ${path}` });
    else Object.defineProperty(input, name, { value, enumerable: true, configurable: true, writable: true });
  }
  return errors.length > 0 ? { warnings: [], errors } : adapted({ input, ...messages });
}

export function adaptForAgent(
  item: CanonicalInput,
  { flatten_variant }: Pick<AgentConsumer, 'flatten_variant'>,
): Adaptation {
  const messages = messagesIn(item);
  const user = messages.find(({ role }) => role === 'user');
  const text = user ? contentOf(user) : item.input === undefined ? null : textOfInput(item.input);
  if (text === null) return messages.length > 0 ? failed('input.messages', 'have no message of a user') : NOTHING;
  return FLATTENED[flatten_variant](text, user, messages);
}

type Flatten = (text: string, user: Message | undefined, messages: readonly Message[]) => Adaptation;

const FLATTENED: Readonly<Record<FlattenVariant, Flatten>> = {
  agent_first_user_message: (text, user) => adapted({ message: text }, ...lostParts(user)),
  agent_first_user_message_with_system_prompt: (text, user, messages) => {
    const system = messages.find(isSystem);
    return adapted({ messages: [...(system ? [system] : []), user ?? { role: 'user', content: text }] });
  },
};

/** The first variant passes only text on. */
const lostParts = (user: Message | undefined): string[] =>
  Array.isArray(user?.content) && user.content.some(({ type }) => type !== 'text')
    ? ['non-text message parts were dropped']
    : [];

export const BODY_PLACEHOLDERS = ['{{input}}', '{{messages}}'] as const;

export function adaptForProgram(
  item: CanonicalInput,
  { body_template }: Pick<ExternalConsumer, 'body_template'>,
): Adaptation {
  const messages = messagesIn(item);
  const user = messages.find(({ role }) => role === 'user');
  if (messages.length === 0 && item.input === undefined) return NOTHING;
  const values: Record<string, unknown> = {
    '{{input}}': item.input ?? (user ? contentOf(user) : null),
    '{{messages}}': messages.length > 0 ? messages : [{ role: 'user', content: textOfInput(item.input) }],
  };
  return adapted({ body: filled(body_template, values) });
}

function filled(template: unknown, values: Record<string, unknown>): unknown {
  if (typeof template === 'string') return Object.hasOwn(values, template) ? values[template] : template;
  if (Array.isArray(template)) return template.map((each) => filled(each, values));
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(Object.entries(template).map(([key, each]) => [key, filled(each, values)]));
}

export function adapt(kind: ConsumerKind, item: CanonicalInput, config: object, defaults?: CallDefaults): Adaptation {
  if (kind === 'MODEL') return adaptForModel(item, config as ModelConsumer, defaults);
  if (kind === 'WORKFLOW') return adaptForWorkflow(item, config as WorkflowConsumer);
  if (kind === 'EXTERNAL') return adaptForProgram(item, config as ExternalConsumer);
  return adaptForAgent(item, config as AgentConsumer);
}
