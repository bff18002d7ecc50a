import type { Person } from './person.ts';

/** The side of the smallest square that a finger hits, in pixels; positions are rounded. */
const touchMin = 43.5;

/** Controls that are smaller than that. A link within a sentence is as high as its line; a box counts with its label. */
const script = `(() => {
  const isIn = (element, place) => element.closest(place) !== null;
  const areaOf = (element) => {
    const after = getComputedStyle(element, '::after');
    let area = isIn(element, 'label') ? element.closest('label') : element;
    // A link that covers its row is as large as the row.
    if (after.content !== 'none' && after.position === 'absolute') {
      while (area !== null && getComputedStyle(area).position === 'static') area = area.parentElement;
    }
    return (area ?? element).getBoundingClientRect();
  };
  return [...document.querySelectorAll('a, button, input, select, textarea, summary')]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !isIn(element, '.hidden, .skip'))
    .filter((element) => !(element.matches('a') && isIn(element, 'p')))
    .flatMap((element) => {
      const { width, height } = areaOf(element);
      const isSmall = width < ${touchMin} || height < ${touchMin};
      return isSmall ? [Math.round(width) + ' x ' + Math.round(height) + ': ' + element.outerHTML.slice(0, 120)] : [];
    });
})()`;

/** Lists the controls of a page on which a finger would miss. */
export async function listSmallControls(person: Person): Promise<string[]> {
  return (await person.evaluate(script)) as string[];
}
