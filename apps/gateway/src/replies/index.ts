export { ApiExceptionFilter } from './api-exception.filter.js';
export { Cors } from './cors.js';
export { Draining } from './draining.js';
export { openAiModel, openAiModels } from './openai-models.js';
export { parserErrorOf, parserErrorResponse } from './parser-errors.js';
export { RepliesModule } from './replies.module.js';
export { ContentReply, EmptyReply, JsonReply, Reply } from './reply.js';
export { type ReplySender, type SendingAdapter } from './reply-sender.js';
export { type ReplyHeaders, ResponseWriter } from './response-writer.js';
