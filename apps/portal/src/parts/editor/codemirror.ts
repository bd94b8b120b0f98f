import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { CodeProblem, Editor, EditorSettings, ScriptLanguage } from './editor.js';

/** Custom properties reach into the shadow root, in both themes. */
const COLOURS = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.self], color: 'var(--code-keyword)' },
  { tag: [tags.string, tags.regexp, tags.special(tags.string)], color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--odd)' },
  { tag: [tags.comment], color: 'var(--soft)', fontStyle: 'italic' },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], color: 'var(--live)' },
  { tag: [tags.typeName, tags.className], color: 'var(--wait)' },
  { tag: tags.invalid, color: 'var(--bad)' },
]);

const LOOK = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'var(--panel)', borderRadius: '6px' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '1px' },
  '.cm-scroller': {
    fontFamily: "ui-monospace, 'SF Mono', Menlo, Consolas, monospace",
    fontSize: '13px',
    lineHeight: '20px',
  },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--bg)', color: 'var(--soft)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine': { backgroundColor: 'var(--hover)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'var(--code-selection)',
  },
  '.cm-selectionMatch': { backgroundColor: 'var(--wait-bg)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--good-bg)' },
  '.cm-tooltip, .cm-panels': {
    backgroundColor: 'var(--panel)',
    color: 'var(--ink)',
    border: '1px solid var(--line)',
    fontSize: '13px',
  },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--accent)',
    color: 'var(--on-accent)',
  },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--bad)' },
  '.cm-textfield, .cm-button': {
    backgroundColor: 'var(--panel)',
    backgroundImage: 'none',
    color: 'var(--ink)',
    border: '1px solid var(--field)',
    borderRadius: '6px',
  },
});

const MEMBERS: readonly [string, string][] = [
  ['agents.invoke', 'asks an agent'],
  ['artifacts.get', 'reads an artifact'],
  ['artifacts.put', 'writes an artifact of the run'],
  ['chat.completions.create', 'asks a model'],
  ['emit', 'sends an event to who follows the run'],
  ['http.fetch', 'calls an address'],
  ['input', 'the input of the run'],
  ['log', 'writes a line: level, message'],
  ['messages', 'the messages of the run'],
  ['metadata', 'the metadata of the call'],
  ['params', 'the parameters of the call'],
  ['run', 'id, workflow, version, trigger'],
  ['secrets.get', 'a secret of the call'],
  ['session_id', 'the session of the run'],
  ['workflows.execute', 'runs another workflow'],
];

function membersOfContext(context: CompletionContext): CompletionResult | null {
  const word = context.matchBefore(/\bctx\.[\w.]*/);
  if (!word) return null;
  const options = MEMBERS.map(([label, info]) => ({ label, detail: info, type: 'property' }));
  return { from: word.from + 'ctx.'.length, options, validFor: /^[\w.]*$/ };
}

/** Rarely needed parts are loaded on demand. */
const LANGUAGES: Record<ScriptLanguage, () => Extension | Promise<Extension>> = {
  javascript: () => javascript(),
  typescript: () => javascript({ typescript: true }),
  python: async () => (await import('./python.js')).python(),
};

function searchOnDemand(): Extension {
  const place = new Compartment();
  const open = (view: EditorView): boolean => {
    void import('./search.js').then(({ SEARCH, openSearchPanel }) => {
      view.dispatch({ effects: place.reconfigure(SEARCH) });
      openSearchPanel(view);
    });
    return true;
  };
  return [place.of([]), keymap.of([{ key: 'Mod-f', run: open }])];
}

function markOf(state: EditorState, { line, column, message }: CodeProblem) {
  const at = state.doc.line(Math.max(1, Math.min(line, state.doc.lines)));
  const from = Math.min(at.to, at.from + Math.max(0, (column ?? 1) - 1));
  const indent = at.text.length - at.text.trimStart().length;
  return { from: column === undefined ? at.from + indent : from, to: at.to, severity: 'error' as const, message };
}

/**
 * Typing over a selection of several lines: the browser's own way joins them with a style attribute, which the policy
 * refuses with an error in the console.
 */
function typeOver(event: InputEvent, view: EditorView): boolean {
  const { state } = view;
  const { from, to, empty } = state.selection.main;
  const text = event.data;
  if (event.inputType !== 'insertText' || text === null || empty || view.composing) return false;
  const insert = () => state.update(state.replaceSelection(text), { userEvent: 'input.type', scrollIntoView: true });
  const isHandled = state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, text, insert));
  if (!isHandled) view.dispatch(insert());
  event.preventDefault();
  return true;
}

/** In a shadow root, where styles are constructed sheets, which the policy allows. */
export function openEditor(host: HTMLElement, settings: EditorSettings): Editor {
  const language = new Compartment();
  const access = new Compartment();
  const accessOf = (isReadOnly: boolean): Extension => [
    EditorState.readOnly.of(isReadOnly),
    EditorView.editable.of(!isReadOnly),
  ];
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const view = new EditorView({
    root,
    parent: root,
    doc: settings.text,
    extensions: [
      lineNumbers(),
      lintGutter(),
      history(),
      drawSelection(),
      indentOnInput(),
      bracketMatching(),
      closeBrackets(),
      highlightActiveLine(),
      autocompletion(),
      EditorState.languageData.of(() => [{ autocomplete: membersOfContext }]),
      syntaxHighlighting(COLOURS),
      LOOK,
      EditorView.contentAttributes.of({ 'aria-label': settings.label, spellcheck: 'false', translate: 'no' }),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (docChanged) settings.change(state.doc.toString());
      }),
      EditorView.domEventHandlers({ beforeinput: typeOver }),
      language.of([]),
      searchOnDemand(),
      access.of(accessOf(settings.isReadOnly)),
      keymap.of([...closeBracketsKeymap, ...completionKeymap, ...defaultKeymap, ...historyKeymap, indentWithTab]),
    ],
  });
  let wanted = settings.language;
  async function speak(next: ScriptLanguage): Promise<void> {
    wanted = next;
    const extension = await LANGUAGES[next]();
    if (wanted === next) view.dispatch({ effects: language.reconfigure(extension) });
  }
  void speak(settings.language);
  return {
    setText(text) {
      if (text !== view.state.doc.toString())
        view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
    setLanguage: (next) => void speak(next),
    setReadOnly: (isReadOnly) => view.dispatch({ effects: access.reconfigure(accessOf(isReadOnly)) }),
    setProblems(problems) {
      const marks = problems.map((problem) => markOf(view.state, problem)).sort((one, other) => one.from - other.from);
      view.dispatch(setDiagnostics(view.state, marks));
    },
    reveal(line) {
      const { from } = markOf(view.state, { line, message: '' });
      view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
      view.focus();
    },
    focus: () => view.focus(),
    close: () => view.destroy(),
  };
}
