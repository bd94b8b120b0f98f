/// <reference lib="dom" />
import { eventually } from '@signalbox/testing';
import type { Locator, Page } from 'playwright-core';

/** No page has so many elements that take the focus before the one that is looked for. */
const MOST_STEPS = 120;
/** How long a page may take to come after its keys until they are pressed again. */
const AGAIN_MS = 10_000;

/** Uses a page as somebody without a mouse: the focus moves by keys alone, and what is not reached fails. */
export class Keyboard {
  constructor(private readonly page: Page) {}

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Goes to a page by G and its key. Where a machine takes too long between the two, they are pressed again. */
  async goTo(key: string, path: string): Promise<void> {
    await eventually(`the page ${path}`, async () => {
      await this.press('g', key);
      const isThere = (url: URL): boolean => url.pathname.endsWith(path);
      return this.page.waitForURL(isThere, { timeout: AGAIN_MS }).then(
        () => true,
        () => false,
      );
    });
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }

  async isAt(what: Locator): Promise<boolean> {
    return (await what.and(this.page.locator(':focus')).count()) > 0;
  }

  /** Waits until an element has the focus. */
  async focused(what: Locator): Promise<void> {
    await what.and(this.page.locator(':focus')).waitFor();
  }

  /** Moves to an element that is in view, on the way on which the focus does not leave the page for the browser. */
  async to(what: Locator): Promise<void> {
    const isAhead = await what.first().evaluate((element) => {
      const place = document.activeElement?.compareDocumentPosition(element) ?? 0;
      return (place & Node.DOCUMENT_POSITION_FOLLOWING) > 0;
    });
    const key = isAhead ? 'Tab' : 'Shift+Tab';
    for (let n = 0; n < MOST_STEPS && !(await this.isAt(what)); n++) await this.press(key);
    await this.focused(what);
  }

  /** Moves to an element and presses Enter. */
  async enter(what: Locator): Promise<void> {
    await this.to(what);
    await this.press('Enter');
  }

  /** Chooses a tab of a list of tabs. */
  async tab(name: string): Promise<void> {
    const tabs = this.page.getByRole('tab');
    await this.to(tabs.and(this.page.locator('[aria-selected=true]')));
    const wanted = this.page.getByRole('tab', { name, exact: true });
    for (let n = 0; n < (await tabs.count()) && !(await this.isAt(wanted)); n++) {
      const chosen = await tabs.and(this.page.locator(':focus')).getAttribute('id');
      await this.press('ArrowRight');
      // The next press counts from the one that is chosen then.
      await this.page.locator(`[role=tab][aria-selected=true]:focus:not([id="${chosen}"])`).waitFor();
    }
    await this.focused(wanted);
  }
}
