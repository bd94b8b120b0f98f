import type { Catalog } from './catalog.js';
import { optionsOf } from './command-help.js';
import { FORMATS } from './output.js';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

const SCRIPTS: Record<(typeof SHELLS)[number], string> = {
  bash: `_signalbox() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(signalbox __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _signalbox signalbox`,
  zsh: `#compdef signalbox
_signalbox() {
  local -a candidates
  candidates=("\${(@f)$(signalbox __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -a candidates
}
compdef _signalbox signalbox`,
  fish: `function __signalbox_complete
  signalbox __complete (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null
end
complete -c signalbox -f -a '(__signalbox_complete)'`,
};

export const completionScript = (shell: string): string | undefined =>
  (SHELLS as readonly string[]).includes(shell) ? SCRIPTS[shell as (typeof SHELLS)[number]] : undefined;

export function candidates(words: string[], catalog: Catalog, localCommands: readonly string[]): string[] {
  const last = words.at(-1) ?? '';
  const [family = '', verb = ''] = words;
  if (words.length <= 1) return startingWith(last, [...localCommands, ...Object.keys(catalog)]);
  const verbs = catalog[family] ?? {};
  if (words.length === 2) return startingWith(last, Object.keys(verbs));
  const command = verbs[verb];
  if (!command) return [];
  const previous = words.at(-2) ?? '';
  const field = command.fields?.find(({ name }) => `--${name.replaceAll('_', '-')}` === previous);
  if (field?.words) return startingWith(last, field.words);
  if (['--output', '-o'].includes(previous)) return startingWith(last, [...FORMATS]);
  const fields = (command.fields ?? [])
    .filter((each) => each.in !== 'path')
    .map(({ name }) => name.replaceAll('_', '-'));
  return startingWith(
    last,
    [...fields, ...optionsOf(command)].map((name) => `--${name}`),
  );
}

const startingWith = (start: string, names: string[]): string[] => names.filter((name) => name.startsWith(start));
