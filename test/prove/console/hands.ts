import { setTimeout as sleep } from 'node:timers/promises';
import type { ElementHandle, Page } from 'puppeteer-core';

/** Ways to work: with a mouse, with the keyboard alone, and with a thumb on a phone. */
export const allHands = ['mouse', 'keyboard', 'touch'] as const;
export type Hands = (typeof allHands)[number];

/** The most presses of the Tab key to get from one control to the next: nobody presses it more often. */
const tabsMax = 60;
/** The time in which a ring around what has the focus appears. */
const ringMs = 1_000;

/** Presses an element. @throws Error if these hands cannot reach it. */
export async function pressWith(hands: Hands, page: Page, element: ElementHandle): Promise<void> {
  if (hands === 'keyboard') {
    await reach(page, element);
    await page.keyboard.press((await element.evaluate(pressedBySpace)) === true ? 'Space' : 'Enter');
    return;
  }
  await element.scrollIntoView();
  await requireUncovered(element);
  await (hands === 'touch' ? element.tap() : element.click());
}

/** Moves into a field, with all of its text selected. @throws Error if these hands cannot reach it. */
export async function enterWith(hands: Hands, page: Page, field: ElementHandle): Promise<void> {
  if (hands === 'keyboard') await reach(page, field);
  else await pressWith(hands, page, field);
  await page.keyboard.down('Control');
  await page.keyboard.press('a');
  await page.keyboard.up('Control');
}

/** Moves the focus to an element, as people do who have no mouse. @throws Error if it is too far, or nobody would see it there. */
async function reach(page: Page, element: ElementHandle): Promise<void> {
  // A field that has the focus already shows its caret.
  const isThere = (await element.evaluate(placeOfFocus)) === 'there';
  const before = isThere ? '' : await element.evaluate(looks);
  if ((await element.evaluate(placeOfFocus)) === 'nowhere' && (await element.evaluate(isContent))) {
    // The first link of a page leads past the navigation. The focus may also have been on something that has gone since.
    await page.keyboard.press('Tab');
    if ((await page.$('.skip:focus')) !== null) await page.keyboard.press('Enter');
  }
  const isBefore = (await element.evaluate(placeOfFocus)) === 'behind it';
  for (let tab = 0; (await element.evaluate(placeOfFocus)) !== 'there'; tab += 1) {
    if (tab > tabsMax) throw new Error(`${tabsMax} presses of Tab do not reach ${await element.evaluate(describe)}.`);
    if ((await element.evaluate(placeOfFocus)) === 'in its group') await page.keyboard.press('ArrowDown');
    else await tabOnce(page, isBefore);
  }
  await requireUncovered(element);
  const end = Date.now() + ringMs;
  while ((await element.evaluate(looks)) === before) {
    if (Date.now() > end) throw new Error(`Nothing shows that the focus is on ${await element.evaluate(describe)}.`);
    await sleep(20);
  }
}

async function tabOnce(page: Page, isBack: boolean): Promise<void> {
  if (isBack) await page.keyboard.down('Shift');
  await page.keyboard.press('Tab');
  if (isBack) await page.keyboard.up('Shift');
}

async function requireUncovered(element: ElementHandle): Promise<void> {
  const cover = await element.evaluate(coverOf);
  if (cover !== undefined) throw new Error(`${await element.evaluate(describe)} is covered by ${cover}.`);
}

// The functions below run in the page, so each stands alone.

/** The part of the DOM that the functions below use: the proofs are compiled without it. */
interface Shown {
  readonly nodeName: string;
  readonly type?: string;
  readonly name?: string;
  readonly outerHTML: string;
  readonly parentElement: Shown | null;
  readonly ownerDocument: {
    readonly activeElement: Shown | null;
    readonly body: Shown;
    readonly defaultView: { getComputedStyle(element: Shown): Record<string, string> };
    elementFromPoint(x: number, y: number): Shown | null;
  };
  getAttribute(name: string): string | null;
  matches(selector: string): boolean;
  closest(selector: string): Shown | null;
  contains(other: Shown): boolean;
  compareDocumentPosition(other: Shown): number;
  getBoundingClientRect(): { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

function pressedBySpace(node: unknown): boolean {
  return (node as Shown).matches('[role=switch], [type=checkbox], [type=radio]');
}

function isContent(node: unknown): boolean {
  return (node as Shown).closest('#main') !== null;
}

function placeOfFocus(node: unknown): string {
  const element = node as Shown;
  const active = element.ownerDocument.activeElement;
  if (active === element) return 'there';
  if (active === null || active === element.ownerDocument.body) return 'nowhere';
  if (element.type === 'radio' && active.type === 'radio' && element.name === active.name) return 'in its group';
  const menu = element.closest('[role=menu]');
  if (menu !== null && menu === active.closest('[role=menu]')) return 'in its group';
  return (element.compareDocumentPosition(active) & 4) === 0 ? 'before it' : 'behind it';
}

/** Describes the lines around an element, which change when it gets the focus. */
function looks(node: unknown): string {
  const element = node as Shown;
  const { defaultView } = element.ownerDocument;
  const around = [element, element.parentElement, element.parentElement?.parentElement];
  return around
    .filter((each) => each !== null && each !== undefined)
    .map((each) => {
      const { outlineStyle, outlineWidth, boxShadow, borderColor } = defaultView.getComputedStyle(each);
      return `${outlineStyle === 'none' ? '' : outlineWidth} ${boxShadow} ${borderColor}`;
    })
    .join();
}

function coverOf(node: unknown): string | undefined {
  const element = node as Shown;
  const { x, y, width, height } = element.getBoundingClientRect();
  const top = element.ownerDocument.elementFromPoint(x + width / 2, y + height / 2);
  if (top === null) return 'the edge of the window';
  const isPart = element.contains(top) || top.contains(element) || top.closest('label')?.contains(element) === true;
  return isPart ? undefined : top.outerHTML.slice(0, 120);
}

function describe(node: unknown): string {
  return (node as Shown).outerHTML.slice(0, 120);
}
