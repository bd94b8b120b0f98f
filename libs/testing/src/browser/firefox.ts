import { type Browser, firefox } from 'playwright-core';

/** What Playwright sends to a browser over WebDriver BiDi; it is no part of its interface. */
interface Session {
  send(this: Session, method: string, params: unknown): Promise<unknown>;
}
interface Inner {
  _connection: { toImpl(browser: Browser): { _browserSession: Session } };
}

/** Commands of the protocol that released versions of Firefox do not know yet. */
const UNKNOWN = new Set(['emulation.setMediaFeaturesOverride']);

/** Starts a Firefox as it is released, by WebDriver BiDi; Playwright's own protocol needs one that is patched. */
export async function launchFirefox(path: string): Promise<Browser> {
  const browser = await firefox.launch({
    channel: 'moz-firefox',
    executablePath: path,
    firefoxUserPrefs: { 'ui.prefersReducedMotion': 1, 'browser.download.alwaysOpenPanel': false },
  });
  const sessions = Object.getPrototypeOf(
    (browser as unknown as Inner)._connection.toImpl(browser)._browserSession,
  ) as Session;
  const { send } = sessions;
  sessions.send = function (method, params) {
    return UNKNOWN.has(method) ? Promise.resolve({}) : send.call(this, method, params);
  };
  return browser;
}
