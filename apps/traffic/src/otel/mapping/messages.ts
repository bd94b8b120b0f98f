import { isJsonObject } from '@signalbox/contracts';
import { cutText } from '../otlp/bounded.js';
import type { Attributes, Span } from '../otlp/span.js';
import {
  CHOICE_EVENT,
  DETAILS_EVENT,
  EVENT_CONTENT,
  INSTRUCTIONS,
  MESSAGE_EVENTS,
  MESSAGES,
  NUMBERED,
  TEXTS,
  TOOL_CALLS,
} from './attribute-names.js';
import { firstOf, parsedOf } from './attributes.js';
import { mediaOf, withoutData } from './media.js';

interface ToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

export interface MappedMessage {
  role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  content: string | null;
  tool_calls?: ToolCall[];
  tool_call_id?: string;
}

type Fields = Record<string, unknown>;
type Side = 'input' | 'output';

const ROLES = ['system', 'developer', 'user', 'assistant', 'tool'] as const;
/** Messages of a call, and characters of a message; the span itself has all. */
const MAX_MESSAGES = 200;
const MAX_CONTENT = 65_536;

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null));
const cut = (text: string): string => cutText(withoutData(text), MAX_CONTENT);

function roleIn(value: unknown, side: Side): MappedMessage['role'] {
  const role = ROLES.find((each) => each === value);
  if (role) return role;
  if (value === 'model') return 'assistant';
  return side === 'input' ? 'user' : 'assistant';
}

/** Null for a call of a tool, and in messages of an assistant for its reasoning and for results of tools. */
function textOfPart(part: unknown, role: MappedMessage['role']): string | null {
  if (!isJsonObject(part)) return asText(part);
  if (isCall(part) || (role === 'assistant' && (isResult(part) || isThought(part)))) return null;
  const media = mediaOf(part);
  if (media !== null) return media;
  const { text, content, response, result, output } = part;
  const value = text ?? content ?? response ?? result ?? (isTyped(output) ? output.value : output);
  return value === undefined ? asText(part) : asText(value);
}

const typeIn = (...types: string[]) => {
  const known = new Set<unknown>(types);
  return (part: unknown): part is Fields & { type: string } => isJsonObject(part) && known.has(part.type);
};
const isCall = typeIn('tool_call', 'tool-call');
const isResult = typeIn('tool_call_response', 'tool-result');
const isThought = typeIn('reasoning', 'thinking');
/** A result of a tool of the Vercel AI SDK: `{type, value}`. */
const isTyped = typeIn('text', 'json', 'error-text', 'error-json');

function toolCallOf(value: unknown): ToolCall | null {
  if (!isJsonObject(value)) return null;
  const called = isJsonObject(value.function) ? value.function : value;
  const name = called.name ?? value.toolName;
  if (typeof name !== 'string') return null;
  const id = asText(value.id ?? value.toolCallId ?? '');
  return { id, type: 'function', function: { name, arguments: cut(asText(called.arguments ?? value.input ?? {})) } };
}

const callsIn = (value: unknown): ToolCall[] =>
  Array.isArray(value) ? value.flatMap((each) => toolCallOf(each) ?? []) : [];

function contentOf(content: unknown, role: MappedMessage['role']): string | null {
  if (content === null || content === undefined) return null;
  if (!Array.isArray(content)) return cut(asText(content));
  const texts = content.flatMap((part) => textOfPart(part, role) ?? []);
  return texts.length === 0 ? null : cut(texts.join('\n'));
}

/** Without the calls whose results are in the same message. */
function openCallsIn(parts: readonly unknown[]): ToolCall[] {
  const ended = new Set(parts.filter(isResult).map(({ id, toolCallId }) => id ?? toolCallId));
  return callsIn(parts.filter(isCall)).filter(({ id }) => !ended.has(id));
}

function messageOf(fields: Fields, side: Side): MappedMessage {
  const content = fields.parts ?? fields.content;
  const parts = Array.isArray(content) ? (content as unknown[]) : [];
  const calls = [...callsIn(fields.tool_calls ?? fields.toolCalls), ...openCallsIn(parts)];
  const role = roleIn(fields.role, side);
  const ids = [
    fields.tool_call_id,
    fields.id,
    ...parts.map((part) => isJsonObject(part) && (part.id ?? part.toolCallId)),
  ];
  const id = ids.find((each) => typeof each === 'string');
  return {
    role,
    content: contentOf(content, role),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    ...(role === 'tool' ? { tool_call_id: typeof id === 'string' && id !== '' ? id : 'unknown' } : {}),
  };
}

/** The results of parallel calls of tools in one message are one message each. */
function withoutGroups(fields: Fields): Fields[] {
  const content = fields.parts ?? fields.content;
  const results = fields.role === 'tool' && Array.isArray(content) ? content.filter(isResult) : [];
  return results.length < 2 ? [fields] : results.map((result) => ({ role: 'tool', content: [result] }));
}

function messagesIn(value: unknown, side: Side): MappedMessage[] {
  const list = isJsonObject(value) ? value.messages : value;
  if (Array.isArray(list))
    return list
      .filter(isJsonObject)
      .flatMap(withoutGroups)
      .map((fields) => messageOf(fields, side));
  if (!isJsonObject(value) || (value.prompt === undefined && value.system === undefined)) return [];
  const given: [MappedMessage['role'], unknown][] = [
    ['system', value.system],
    ['user', value.prompt],
  ];
  return given.flatMap(([role, text]) => (typeof text === 'string' ? [{ role, content: cut(text) }] : []));
}

function setAt(target: Fields, path: readonly string[], value: unknown): void {
  let at = target;
  for (const step of path.slice(0, -1)) {
    const next = Object.hasOwn(at, step) ? at[step] : undefined;
    if (isJsonObject(next)) at = next;
    else at = at[step] = Object.create(null) as Fields;
  }
  at[path.at(-1) ?? ''] = value;
}

function listIn(value: unknown): unknown {
  if (!isJsonObject(value)) return undefined;
  return Object.keys(value)
    .sort((a, b) => Number(a) - Number(b))
    .map((key) => {
      const each = value[key];
      const wrapped = isJsonObject(each) ? (each.tool_call ?? each.message_content) : undefined;
      return isJsonObject(wrapped) ? { ...wrapped } : each;
    });
}

function numbered(attributes: Attributes, prefix: string, infix: string, side: Side): MappedMessage[] {
  const messages = new Map<number, Fields>();
  for (const [name, value] of Object.entries(attributes)) {
    if (!name.startsWith(`${prefix}.`)) continue;
    const [number = '', ...path] = name.slice(prefix.length + 1).split('.');
    const place = Number(number);
    if (!Number.isInteger(place) || place < 0 || path.length === 0 || path.length > 8) continue;
    const own = infix === '' ? path : path.slice(1);
    const message = messages.get(place) ?? (Object.create(null) as Fields);
    messages.set(place, message);
    if (own.length > 0) setAt(message, own, value);
  }
  const mapped = [...messages]
    .sort(([a], [b]) => a - b)
    .map(([, { tool_calls, contents, ...fields }]) =>
      messageOf({ content: listIn(contents), ...fields, tool_calls: listIn(tool_calls) }, side),
    );
  return side === 'output' ? withCallsTogether(mapped) : mapped;
}

/** Of the Responses API each call of a tool is a message; a message with a text is another choice. */
function withCallsTogether(messages: readonly MappedMessage[]): MappedMessage[] {
  const together: MappedMessage[] = [];
  for (const message of messages) {
    const before = together.at(-1);
    if (!before || message.content || !message.tool_calls) together.push(message);
    else for (const call of message.tool_calls) (before.tool_calls ??= []).push(call);
  }
  return together;
}

function inEvents({ events }: Span, side: Side): MappedMessage[] {
  return events.flatMap(({ name, attributes }) => {
    const parsed = parsedOf(attributes[EVENT_CONTENT]);
    const fields: Fields = isJsonObject(parsed) ? parsed : attributes;
    if (side === 'output' && name === CHOICE_EVENT) {
      const message = parsedOf(fields.message);
      return [messageOf(isJsonObject(message) ? message : { content: message ?? fields.content }, side)];
    }
    const role = MESSAGE_EVENTS[name];
    return role !== undefined && side === 'input' ? [messageOf({ ...fields, role }, side)] : [];
  });
}

function inLists(attributes: Attributes, side: Side): MappedMessage[] {
  const messages = MESSAGES[side].flatMap((name) => messagesIn(parsedOf(attributes[name]), side).slice(-MAX_MESSAGES));
  const instructions = side === 'input' ? parsedOf(firstOf(attributes, INSTRUCTIONS)) : undefined;
  const content = contentOf(instructions, 'system');
  if (messages.length === 0 || content === null || messages.some(({ role }) => role === 'system')) return messages;
  return [{ role: 'system', content }, ...messages];
}

/** Emitters send an event when the call begins and one when it ends. */
const detailsOf = ({ events }: Span): Attributes =>
  Object.assign({}, ...events.filter(({ name }) => name === DETAILS_EVENT).map(({ attributes }) => attributes));

/** The only argument of a traced function as it is; undefined when there is none. */
function withoutCall(value: unknown): unknown {
  if (!isJsonObject(value) || !Array.isArray(value.args) || !isJsonObject(value.kwargs)) return value;
  const named = Object.keys(value.kwargs).length;
  if (value.args.length + named === 0) return undefined;
  return value.args.length === 1 && named === 0 ? (value.args[0] as unknown) : value;
}

function asMessage(span: Span, side: Side): MappedMessage[] {
  const value = firstOf(span.attributes, TEXTS[side]);
  const calls = callsIn(parsedOf(firstOf(span.attributes, TOOL_CALLS)));
  if (side === 'output' && calls.length > 0)
    return [{ role: 'assistant', content: typeof value === 'string' ? cut(value) : null, tool_calls: calls }];
  if (value === undefined) return [];
  const parsed = withoutCall(parsedOf(value));
  if (parsed === undefined) return [];
  const found = messagesIn(parsed, side);
  if (found.length > 0) return found;
  return [{ role: side === 'input' ? 'user' : 'assistant', content: cut(asText(parsed)) }];
}

export function messagesOf(span: Span, side: Side): MappedMessage[] {
  const { attributes } = span;
  const ways = [
    () => inLists(attributes, side),
    () => inLists(detailsOf(span), side),
    ...NUMBERED[side].map(
      ({ prefix, infix }) =>
        () =>
          numbered(attributes, prefix, infix, side),
    ),
    () => inEvents(span, side),
    () => asMessage(span, side),
  ];
  for (const way of ways) {
    const messages = way();
    if (messages.length > 0) return messages.slice(-MAX_MESSAGES);
  }
  return [];
}
