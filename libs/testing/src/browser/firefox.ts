/// <reference lib="dom" />
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, firefox, type Page } from 'playwright-core';
import { eventually } from '../platform/platform.js';

interface Session {
  send(this: Session, method: string, params: unknown): Promise<unknown>;
}
interface Inner {
  _connection: { toImpl(browser: Browser): { _browserSession: Session } };
}

/** Not implemented by released versions of Firefox. */
const UNKNOWN = new Set(['emulation.setMediaFeaturesOverride']);

/** What Firefox cannot test like Chromium, because the protocol lacks it; printed by each run. */
const LACKS = [
  'a page cannot be zoomed: at 200 % the half window is measured, without twice as many pixels for each',
  'reduced motion is a setting of the browser and not of a page: it is on in all of them',
  'text cannot be put into an editor at once: it is pasted',
  'a file that a page makes itself is not announced: it is looked for in the folder of downloads',
  'the heap of a page cannot be measured: the spec of live views that stay open needs Chromium',
];

/**
 * The style that Playwright adds before each screenshot, and that the policy of the page refuses with an error that
 * names its hash.
 */
const PICTURE_STYLE = createHash('sha256').update('body {}').digest('base64');

export const isOfPicture = (message: string): boolean => message.includes(PICTURE_STYLE);

export async function pasteInFirefox(page: Page, text: string): Promise<void> {
  await page.evaluate((pasted) => {
    let element = document.activeElement;
    while (element?.shadowRoot) element = element.shadowRoot.activeElement;
    // A DataTransfer of a scripted event is empty; these two fields are Firefox's own.
    const given = { dataType: 'text/plain', data: pasted, bubbles: true, cancelable: true };
    element?.dispatchEvent(new ClipboardEvent('paste', given));
  }, text);
}

const FOLDERS = new WeakMap<Browser, string>();

export async function savedInFirefox(browser: Browser, click: () => Promise<void>): Promise<Buffer> {
  const folder = FOLDERS.get(browser) ?? '';
  const before = new Set(await readdir(folder));
  await click();
  // Firefox reserves the name and writes the bytes to a file beside it.
  return eventually('a file is saved', async () => {
    const names = await readdir(folder);
    const name = names.find((each) => !before.has(each) && !each.endsWith('.part'));
    if (name === undefined || names.some((each) => each.endsWith('.part'))) return null;
    const bytes = await readFile(join(folder, name));
    return bytes.length > 0 ? bytes : null;
  });
}

/** A released Firefox over WebDriver BiDi; Playwright's own protocol needs a patched one. */
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
