export type ScriptLanguage = 'javascript' | 'typescript' | 'python';

/** Something that is wrong in a line; lines and columns count from 1. */
export interface CodeProblem {
  line: number;
  column?: number;
  message: string;
}

export interface EditorSettings {
  label: string;
  language: ScriptLanguage;
  text: string;
  isReadOnly: boolean;
  change: (text: string) => void;
}

/** An open editor. */
export interface Editor {
  setText: (text: string) => void;
  setLanguage: (language: ScriptLanguage) => void;
  setReadOnly: (isReadOnly: boolean) => void;
  setProblems: (problems: readonly CodeProblem[]) => void;
  /** Puts the cursor in a line, and shows it. */
  reveal: (line: number) => void;
  focus: () => void;
  close: () => void;
}
