export type ScriptLanguage = 'javascript' | 'typescript' | 'python';

/** Lines and columns count from 1. */
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

export interface Editor {
  setText: (text: string) => void;
  setLanguage: (language: ScriptLanguage) => void;
  setReadOnly: (isReadOnly: boolean) => void;
  setProblems: (problems: readonly CodeProblem[]) => void;
  reveal: (line: number) => void;
  focus: () => void;
  close: () => void;
}
