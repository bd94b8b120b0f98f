import { useState } from 'preact/hooks';
import { count } from '../rules/formats.js';

export const FIRST = 20_000;
const FIRST_TEXT = 6000;
export const STEP = 100_000;
/** Beyond this a text is only offered as a download. */
const MOST = 1_000_000;

export function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

export function Rest({ text, shown, more, file }: { text: string; shown: number; more: () => void; file: string }) {
  const left = text.length - shown;
  return (
    <div class="bar">
      {left > 0 && shown < MOST && <button onClick={more}>Show more ({count(left)} characters left)</button>}
      {left > 0 && shown >= MOST && <span class="soft">{count(left)} further characters are in the download.</span>}
      <button onClick={() => download(file, text)}>Download</button>
    </div>
  );
}

/** Drawing a long text at once would block the page, so it is shown in steps. */
export function LongText({ text, file = 'text.txt' }: { text: string; file?: string }) {
  const [shown, setShown] = useState(FIRST_TEXT);
  return (
    <>
      <div class="text">{text.length > shown ? text.slice(0, shown) : text}</div>
      {text.length > FIRST_TEXT && <Rest text={text} shown={shown} more={() => setShown(shown + STEP)} file={file} />}
    </>
  );
}
