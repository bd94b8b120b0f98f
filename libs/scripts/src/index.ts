export * from './script-runner.js';
export { BusScriptRunner } from './bus-script-runner.js';
export { ReplyAssembly } from './reply-chunks.js';
export {
  type HostReply,
  MAX_HOST_VALUE_LENGTH,
  MAX_SMALL_ARGUMENT_LENGTH,
  REPORT_MS,
  type ResultLine,
  type ScriptEnd,
  scriptLine,
  type ScriptLine,
  type Started,
} from './script-lines.js';
