import { useEffect, useRef, useState } from 'preact/hooks';
import type { ScriptProblem } from '@signalbox/sdk';
import { usePortal } from '../../api/portal.js';
import { type Draft, schemaIn } from '../../rules/workflow-draft.js';

/** After so long without a key the script is compiled. */
const PAUSE_MS = 1000;

/** What the platform says of a draft. */
export interface Checks {
  /** Null while nothing is known of the text as it is. */
  problems: readonly ScriptProblem[] | null;
  /** Compiles the draft now. */
  check: () => Promise<readonly ScriptProblem[]>;
}

/** Compiles the script and checks the schemas of a draft whenever a person pauses; nothing is run or stored. */
export function useChecks(draft: Draft): Checks {
  const { api } = usePortal();
  const [known, setKnown] = useState<{ of: string; problems: readonly ScriptProblem[] } | null>(null);
  const { script, language, input_schema, output_schema } = draft;
  const of = JSON.stringify([script, language, input_schema, output_schema]);
  const isFirst = useRef(true);

  async function check(signal?: AbortSignal): Promise<readonly ScriptProblem[]> {
    const { errors } = await api.workflows.validateScript(
      {
        script,
        language,
        input_schema: schemaIn(input_schema) ?? null,
        output_schema: schemaIn(output_schema) ?? null,
      },
      signal ? { signal } : {},
    );
    setKnown({ of, problems: errors });
    return errors;
  }
  useEffect(() => {
    // What is stored was compiled when it was saved.
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    const stop = new AbortController();
    const timer = setTimeout(() => void check(stop.signal).catch(() => undefined), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [of]);
  return { problems: known?.of === of ? known.problems : null, check: () => check() };
}
