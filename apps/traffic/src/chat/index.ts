export { ChatModule } from './chat.module.js';
export { CompletionCalls } from './completion-calls.js';
