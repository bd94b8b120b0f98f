/** How many messages of a call follow the last answer among them; those before repeat the conversation. */
export const newMessagesIn = (messages: readonly object[]): number =>
  messages.length - 1 - messages.findLastIndex((message) => 'role' in message && message.role === 'assistant');
