export * from './script-runner.js';
export { BusScriptRunner } from './bus-script-runner.js';
export { MAX_CHUNK_LENGTH, replyChunks, ReplyAssembly } from './reply-chunks.js';
export {
  type HostReply,
  MAX_HOST_VALUE_LENGTH,
  MAX_SCRIPT_DEPTH,
  type ResultLine,
  scriptLine,
  type ScriptLine,
} from './script-lines.js';
