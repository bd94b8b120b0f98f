import { useEffect, useRef, useState } from 'preact/hooks';
import type { ScriptProblem } from '@signalbox/sdk';
import { usePortal } from '../../api/portal.js';
import { type Draft, schemaIn } from '../../rules/workflow-draft.js';

/** Pause in typing after which the script is compiled. */
const PAUSE_MS = 1000;

export interface Checks {
  /** Null while the present text was not checked. */
  problems: readonly ScriptProblem[] | null;
  check: () => Promise<readonly ScriptProblem[]>;
}

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
    // Stored scripts were compiled when they were saved.
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
