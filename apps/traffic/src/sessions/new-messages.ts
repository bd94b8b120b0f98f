/** The messages before the last answer repeat the conversation. */
export const newMessagesIn = (messages: readonly object[]): number =>
  messages.length - 1 - messages.findLastIndex((message) => 'role' in message && message.role === 'assistant');
