export { DEFAULT_SCRIPTS } from './default-scripts.js';
export { ScriptChecks } from './script-checks.js';
export { ScriptTexts } from './script-texts.js';
export { ScriptsModule } from './scripts.module.js';
