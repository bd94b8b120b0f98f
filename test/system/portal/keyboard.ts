/// <reference lib="dom" />
import type { Locator, Page } from 'playwright-core';

/** No page has so many elements that take the focus before the one that is looked for. */
const MOST_STEPS = 120;

/** Uses a page as somebody without a mouse: the focus moves by keys alone, and what is not reached fails. */
export class Keyboard {
  constructor(private readonly page: Page) {}

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
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

  /** Moves to an element that is in view, forwards or backwards. */
  async to(what: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    await what.first().waitFor();
    for (let n = 0; n < MOST_STEPS && !(await this.isAt(what)); n++) await this.press(key);
    await this.focused(what);
  }

  /** Moves to an element and presses Enter. */
  async enter(what: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    await this.to(what, key);
    await this.press('Enter');
  }

  /** Chooses a tab of a list of tabs. */
  async tab(name: string): Promise<void> {
    const tabs = this.page.getByRole('tab');
    await this.to(tabs.and(this.page.locator('[aria-selected=true]')));
    const wanted = this.page.getByRole('tab', { name, exact: true });
    for (let n = 0; n < (await tabs.count()) && !(await this.isAt(wanted)); n++) await this.press('ArrowRight');
    await this.focused(wanted);
  }
}
