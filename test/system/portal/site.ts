import { createClient, type Signalbox } from '@signalbox/sdk';
import { Platform, type TestCompany } from '@signalbox/testing';
import { browserPath, closePages, launch, PortalPage } from '@signalbox/testing/browser';
import type { Browser } from 'playwright-core';

const path = browserPath();
/** What most pages ask. */
const SERVICES = ['accounts', 'gateway', 'traffic', 'agents', 'workflows', 'monitors'];

/** `describe`, where there is a browser. CI has one; a developer without one runs the rest of the suite. */
export const describePages = path === null && process.env.CI !== 'true' ? describe.skip : describe;

/** A platform, a company with a client, and a browser: what a spec of pages begins with. */
export class PortalSite {
  private constructor(
    readonly platform: Platform,
    readonly company: TestCompany,
    readonly api: Signalbox,
    private browser: Browser,
    private readonly launch: () => Promise<Browser>,
  ) {}

  /** Starts it, with a company of this name, and services besides those that most pages ask. */
  static async start(name: string, ...more: string[]): Promise<PortalSite> {
    if (path === null) throw new Error('no Chromium was found');
    const platform = await Platform.shared([...SERVICES, ...more]);
    try {
      const company = await platform.company(name);
      const api = createClient({ apiKey: company.key, baseUrl: platform.baseUrl });
      const open = (): Promise<Browser> => launch(path);
      return new PortalSite(platform, company, api, await open(), open);
    } catch (error) {
      await platform.stop();
      throw error;
    }
  }

  /**
   * A page that is signed in, with the key of the company or another one. A browser that has ended is started again: it
   * fails the test in which it did, and not those after it.
   */
  async signIn(who: TestCompany = this.company): Promise<PortalPage> {
    if (!this.browser.isConnected()) this.browser = await this.launch();
    return PortalPage.signedIn(this.browser, this.platform, who);
  }

  /** Closes what a test has opened. */
  closePages(): Promise<void> {
    return closePages(this.browser);
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.platform.stop();
  }
}
