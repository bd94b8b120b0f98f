/// <reference lib="dom" />
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, firefox, type Page } from 'playwright-core';
import { eventually } from '../platform/platform.js';

/** What Playwright sends to a browser over WebDriver BiDi; it is no part of its interface. */
interface Session {
  send(this: Session, method: string, params: unknown): Promise<unknown>;
}
interface Inner {
  _connection: { toImpl(browser: Browser): { _browserSession: Session } };
}

/** Commands of the protocol that released versions of Firefox do not know yet. */
const UNKNOWN = new Set(['emulation.setMediaFeaturesOverride']);

/** What is not tested in Firefox as it is in Chromium, because the protocol lacks it; each run says so. */
const LACKS = [
  'a page cannot be zoomed: at 200 % the half window is measured, without twice as many pixels for each',
  'reduced motion is a setting of the browser and not of a page: it is on in all of them',
  'text cannot be put into an editor at once: it is pasted',
  'a file that a page makes itself is not announced: it is looked for in the folder of downloads',
  'the heap of a page cannot be measured: the spec of live views that stay open needs Chromium',
];

/**
 * A style that Playwright adds to a page before each picture, to stop animations, and that the policy of the page refuses.
 * The error names it by its hash.
 */
const PICTURE_STYLE = createHash('sha256').update('body {}').digest('base64');

/** True for an error that Playwright has caused, not the page. */
export const isOfPicture = (message: string): boolean => message.includes(PICTURE_STYLE);

/** Pastes a text where the focus is, which may be in a shadow root. */
export async function pasteInFirefox(page: Page, text: string): Promise<void> {
  await page.evaluate((pasted) => {
    let element = document.activeElement;
    while (element?.shadowRoot) element = element.shadowRoot.activeElement;
    // A DataTransfer is empty in an event that a script makes; these two are Firefox's own.
    const given = { dataType: 'text/plain', data: pasted, bubbles: true, cancelable: true };
    element?.dispatchEvent(new ClipboardEvent('paste', given));
  }, text);
}

const FOLDERS = new WeakMap<Browser, string>();

/** What a click saves as a file; `click` saves one at most. */
export async function savedInFirefox(browser: Browser, click: () => Promise<void>): Promise<Buffer> {
  const folder = FOLDERS.get(browser) ?? '';
  const before = new Set(await readdir(folder));
  await click();
  // The name is taken first, and the bytes come in a file beside it.
  return eventually('a file is saved', async () => {
    const names = await readdir(folder);
    const name = names.find((each) => !before.has(each) && !each.endsWith('.part'));
    if (name === undefined || names.some((each) => each.endsWith('.part'))) return null;
    const bytes = await readFile(join(folder, name));
    return bytes.length > 0 ? bytes : null;
  });
}

/** Starts a Firefox as it is released, by WebDriver BiDi; Playwright's own protocol needs one that is patched. */
export async function launchFirefox(path: string): Promise<Browser> {
  process.stdout.write(`Firefox, by WebDriver BiDi:\n${LACKS.map((each) => `- ${each}\n`).join('')}`);
  const downloadsPath = mkdtempSync(join(tmpdir(), 'portal-downloads-'));
  const browser = await firefox.launch({
    downloadsPath,
    channel: 'moz-firefox',
    executablePath: path,
    firefoxUserPrefs: { 'ui.prefersReducedMotion': 1, 'browser.download.alwaysOpenPanel': false },
  });
  FOLDERS.set(browser, downloadsPath);
  browser.once('disconnected', () => rmSync(downloadsPath, { recursive: true, force: true }));
  const sessions = Object.getPrototypeOf(
    (browser as unknown as Inner)._connection.toImpl(browser)._browserSession,
  ) as Session;
  const { send } = sessions;
  sessions.send = function (method, params) {
    return UNKNOWN.has(method) ? Promise.resolve({}) : send.call(this, method, params);
  };
  return browser;
}
