/// <reference lib="dom" />
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { isOfPicture, launchFirefox, pasteInFirefox, savedInFirefox } from './firefox.js';
import { type Platform, timeScale } from '../platform/platform.js';
import { ROOT } from '../platform/service-process.js';

/** CI runs the specs in Chromium only. */
export const IS_FIREFOX = process.env.BROWSER === 'firefox';
const NAMES = IS_FIREFOX ? ['firefox-esr', 'firefox'] : ['chromium-headless-shell', 'chromium', 'google-chrome'];
const GIVEN = IS_FIREFOX ? process.env.FIREFOX_BIN : process.env.CHROMIUM_BIN;
const SCREENS = join(ROOT, '.cache/portal-screens');
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Null when this machine has none; throws without the requested Firefox. */
export function browserPath(): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const found = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  const path = [GIVEN ?? '', ...found].find((each) => each !== '' && existsSync(each)) ?? null;
  if (path === null && IS_FIREFOX) throw new Error('no Firefox was found (set FIREFOX_BIN)');
  return path;
}

/** Far above what a page needs: it only ends what hangs. */
const LIMIT_MS = 60_000;

/** Time for a page to follow a new window size. */
const FOLLOWS_MS = 3000;

export class PortalPage {
  readonly faults: string[] = [];

  private constructor(
    readonly page: Page,
    readonly origin: string,
    readonly company: number,
  ) {}

  static async signedIn(browser: Browser, platform: Platform, { key, companyId }: { key: string; companyId: number }) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
    context.setDefaultTimeout(LIMIT_MS * timeScale());
    const page = await context.newPage();
    const portal = new PortalPage(page, `http://127.0.0.1:${platform.port}`, companyId);
    portal.watch();
    await page.goto(`${portal.origin}/sign-in`);
    await page.getByLabel('API key').fill(key);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/c/${companyId}/`);
    await portal.loaded();
    return portal;
  }

  async open(path: string): Promise<void> {
    await this.page.goto(`${this.origin}/c/${this.company}${path}`);
    await this.loaded();
  }

  private async loaded(): Promise<void> {
    await this.page.getByRole('heading', { level: 1 }).first().waitFor();
    await this.settled();
  }

  /** No loading text is left, and every row in view is loaded. */
  async settled(): Promise<void> {
    await this.page.waitForFunction(
      () =>
        !document.body.innerText.includes('Loading …') &&
        [...document.querySelectorAll('[role=gridcell]')].every(({ textContent }) => textContent !== '…'),
    );
  }

  async accessibilityFaults(theme: 'light' | 'dark'): Promise<string[]> {
    await this.page.evaluate((name) => void (document.documentElement.dataset.theme = name), theme);
    // The policy of the page refuses added scripts, but not what a debugger evaluates.
    await this.page.evaluate(AXE);
    const found = await this.page.evaluate(async () => {
      const { axe } = window as unknown as {
        axe: { run: (options: object) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
      };
      const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
      return (await axe.run({ runOnly: tags })).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
    });
    return found;
  }

  /** In both themes, with a screenshot of each; leaves the page in the dark one. */
  async themeFaults(name: string): Promise<string[]> {
    const faults = [];
    for (const theme of ['light', 'dark'] as const) {
      for (const fault of await this.accessibilityFaults(theme)) faults.push(`${theme}: ${fault}`);
      await this.picture(`${name}-${theme}`);
    }
    return faults;
  }

  async looksFaults(name: string): Promise<string[]> {
    const faults = await this.themeFaults(name);
    const excess = Object.entries(await this.overflows()).filter(([, pixels]) => pixels > 0);
    return [...faults, ...excess.map(([window, pixels]) => `${window}: ${pixels} pixels too wide`)];
  }

  /**
   * Pixels by which the page is wider than the window, at 320 px, and at 200 % zoom: half of the window at twice the
   * resolution.
   */
  private async overflows(): Promise<{ narrow: number; zoomed: number }> {
    const size = this.page.viewportSize() ?? { width: 1280, height: 800 };
    const measured = () =>
      this.page.evaluate(() =>
        [...document.querySelectorAll('html, main')].reduce(
          (most, { scrollWidth, clientWidth }) => Math.max(most, scrollWidth - clientWidth),
          0,
        ),
      );
    const excess = async (): Promise<number> => {
      const until = Date.now() + FOLLOWS_MS * timeScale();
      let most = await measured();
      // Layout follows the window size in a later frame.
      for (; most > 0 && Date.now() < until; most = await measured()) await this.page.waitForTimeout(50);
      return most;
    };
    await this.page.setViewportSize({ width: 320, height: 700 });
    const narrow = await excess();
    const zoomed = await this.zoomed({ width: size.width / 2, height: size.height / 2 }, excess);
    await this.page.setViewportSize(size);
    return { narrow, zoomed };
  }

  /** At device scale factor 2; Firefox has the smaller window only. */
  private async zoomed(size: { width: number; height: number }, measure: () => Promise<number>): Promise<number> {
    await this.page.setViewportSize(size);
    if (IS_FIREFOX) return measure();
    const debug = await this.page.context().newCDPSession(this.page);
    await debug.send('Emulation.setDeviceMetricsOverride', { ...size, deviceScaleFactor: 2, mobile: false });
    const measured = await measure();
    await debug.send('Emulation.clearDeviceMetricsOverride');
    await debug.detach();
    return measured;
  }

  async saved(click: () => Promise<void>): Promise<Buffer> {
    const browser = this.page.context().browser();
    if (IS_FIREFOX && browser) return savedInFirefox(browser, click);
    const [download] = await Promise.all([this.page.waitForEvent('download'), click()]);
    return readFile(await download.path());
  }

  async picture(name: string): Promise<void> {
    mkdirSync(SCREENS, { recursive: true });
    // Playwright hides the caret by a style, which the policy of the page refuses.
    await this.page.screenshot({ path: join(SCREENS, `${name}.png`), caret: 'initial' });
  }

  private watch(): void {
    this.page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.faults.push(`console: ${message.text()}`);
    });
    this.page.on('pageerror', ({ message }) => {
      if (!isOfPicture(message)) this.faults.push(`thrown: ${message}`);
    });
    this.page.on('request', (request) => {
      if (!request.url().startsWith(this.origin) && !request.url().startsWith('data:'))
        this.faults.push(`foreign request: ${request.url()}`);
    });
  }
}

const launchChromium = (path: string): Promise<Browser> =>
  chromium.launch({
    executablePath: path,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  });

export async function overwrite(editor: Locator, text: string): Promise<void> {
  const page = editor.page();
  await editor.focus();
  await page.keyboard.press('Control+a');
  await (IS_FIREFOX ? pasteInFirefox(page, text) : page.keyboard.insertText(text));
}

export async function closePages(browser: Browser | undefined): Promise<void> {
  await Promise.all((browser?.contexts() ?? []).map((context) => context.close()));
}

export const launch = (path: string): Promise<Browser> => (IS_FIREFOX ? launchFirefox(path) : launchChromium(path));
