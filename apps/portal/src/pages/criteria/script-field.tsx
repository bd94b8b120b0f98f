import { useEffect, useRef, useState } from 'preact/hooks';
import type { ScriptProblem } from '@signalbox/sdk';
import { usePortal } from '../../api/portal.js';
import { CodeEditor } from '../../parts/editor/code-editor.js';
import type { ScriptLanguage } from '../../parts/editor/editor.js';
import { hasLine, Problems, useStable } from '../../parts/editor/problems.js';
import { Field } from '../../parts/form.js';
import { SCORERS } from '../../rules/criteria.js';

/** Pause in typing after which the script is compiled. */
const PAUSE_MS = 1000;

/** The user's own once it differs from the template. */
export interface Script {
  language: ScriptLanguage;
  text: string;
}

export function ScriptField({ script, change }: { script: Script; change: (script: Script) => void }) {
  const { can } = usePortal();
  const [revision, setRevision] = useState(0);
  const problems = useProblems(script);
  const reveal = useRef<(line: number) => void>(() => undefined);
  const marks = useStable(problems.filter(hasLine));
  const { language, text } = script;
  function choose(next: ScriptLanguage): void {
    const isOwn = text.trim() !== '' && text !== SCORERS[language];
    change({ language: next, text: isOwn ? text : SCORERS[next] });
    setRevision(revision + 1);
  }
  return (
    <section class="stack" aria-label="Script">
      <Field label="Language">
        <select value={language} onChange={({ currentTarget }) => choose(currentTarget.value as ScriptLanguage)}>
          <option value="javascript">JavaScript</option>
          <option value="typescript">TypeScript</option>
          <option value="python">Python</option>
        </select>
      </Field>
      <div class="short-code">
        <CodeEditor
          label="Script of the criterion"
          language={language}
          text={text}
          revision={revision}
          problems={marks}
          isReadOnly={!can('write')}
          change={(next) => change({ language, text: next })}
          reveal={reveal}
        />
      </div>
      <Problems problems={problems} reveal={(line) => reveal.current(line)} />
      <small class="hint">
        The function «score» returns a boolean, a number from 0 to 1, or pass, score and reason. Tab indents; Escape,
        then Tab, leaves the editor.
      </small>
    </section>
  );
}

function useProblems({ language, text: script }: Script): readonly ScriptProblem[] {
  const { api } = usePortal();
  const [known, setKnown] = useState<{ of: string; errors: readonly ScriptProblem[] } | null>(null);
  const of = `${language} ${script}`;
  const first = useRef(of);
  useEffect(() => {
    // Stored scripts were compiled when they were saved, and templates compile.
    if (first.current === of) return;
    first.current = '';
    const stop = new AbortController();
    const check = async (): Promise<void> => {
      const { errors } = await api.evaluationCriteria.validate({ language, script }, { signal: stop.signal });
      setKnown({ of, errors });
    };
    const timer = setTimeout(() => void check().catch(() => undefined), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [of]);
  return known?.of === of ? known.errors : [];
}
