import type { MutableRef } from 'preact/hooks';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { CodeProblem, Editor, ScriptLanguage } from './editor.js';

interface Props {
  label: string;
  language: ScriptLanguage;
  text: string;
  /** Increases when the text changes outside the editor. */
  revision: number;
  problems: readonly CodeProblem[];
  isReadOnly: boolean;
  change: (text: string) => void;
  reveal: MutableRef<(line: number) => void>;
}

function revealIn(field: HTMLTextAreaElement | null, line: number): void {
  if (!field) return;
  const lines = field.value.split('\n');
  const from = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0);
  field.focus();
  field.setSelectionRange(from, from + (lines[line - 1]?.length ?? 0));
}

/** A plain field until the editor is loaded, and when it cannot be. */
export function CodeEditor(props: Props) {
  const host = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const editor = useRef<Editor | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');
  const { label, language, text, revision, problems, isReadOnly, reveal } = props;

  useEffect(() => {
    let isGone = false;
    import('./codemirror.js').then(
      ({ openEditor }) => {
        if (isGone || !host.current) return;
        const wasFocused = document.activeElement === field.current;
        const { change: _change, ...given } = latest.current;
        editor.current = openEditor(host.current, { ...given, change: (next) => latest.current.change(next) });
        editor.current.setProblems(latest.current.problems);
        setState('ready');
        if (wasFocused) editor.current.focus();
      },
      () => setState('failed'),
    );
    return () => {
      isGone = true;
      editor.current?.close();
    };
  }, []);
  useEffect(() => editor.current?.setText(text), [revision]);
  useEffect(() => editor.current?.setLanguage(language), [language]);
  useEffect(() => editor.current?.setReadOnly(isReadOnly), [isReadOnly]);
  useEffect(() => editor.current?.setProblems(problems), [problems, revision]);
  reveal.current = (line) => (editor.current ? editor.current.reveal(line) : revealIn(field.current, line));

  return (
    <div class="code">
      <div ref={host} class="code-host" hidden={state !== 'ready'} />
      {state !== 'ready' && (
        <textarea
          ref={field}
          class="mono"
          aria-label={label}
          spellcheck={false}
          wrap="off"
          readOnly={isReadOnly}
          value={text}
          onInput={({ currentTarget }) => props.change(currentTarget.value)}
        />
      )}
      {state === 'failed' && <p class="soft">The editor could not be loaded. This plain field does the same.</p>}
    </div>
  );
}
