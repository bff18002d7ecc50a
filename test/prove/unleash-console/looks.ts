/**
 * Words that no page may show: those of a paid edition, questions for feedback, invalid numbers, and errors about missing things.
 * The API reference may name the address of feedback, and an example of a release template its purpose.
 */
const words =
  /Enterprise|(?<!\/|gather |earlier )[Ff]eedback|\bNaN\b|undefined|Infinity|Invalid Date|\[object |[Uu]pgrade|[Pp]ay-as-you-go|\b[Tt]rial\b|customersuccess|could not be found|toggled on yet|[Ss]eats used/;
/** Addresses at which something is sold. */
const offers = /getunleash\.io\/(pricing|plans|enterprise|upgrade|signup)/;

/**
 * Says in what a page does not look as it is meant to; it runs in the page. An icon is a word that its font draws as one
 * glyph, which is as wide as it is high: it is wider where the font, or the icon in it, is missing.
 */
export const faults = `(async () => {
  await document.fonts.ready;
  const shown = (selector) => [...document.querySelectorAll(selector)].filter((each) => each.checkVisibility({ visibilityProperty: true }));
  const widthOf = (element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return range.getBoundingClientRect().width;
  };
  const icons = shown('[class*="material-"]')
    .filter((each) => widthOf(each) > 1.1 * Number.parseFloat(getComputedStyle(each).fontSize))
    .map((each) => 'the icon "' + each.textContent + '" is a word');
  const families = [...document.fonts].filter(({ status }) => status === 'error').map(({ family }) => 'the font ' + family + ' is missing');
  const pictures = shown('img[src]')
    .filter((each) => each.complete && each.naturalWidth === 0)
    .map((each) => 'the picture ' + each.src.slice(0, 100) + ' is missing');
  const lines = document.body.innerText.split('\\n').filter((line) => /${words.source}/.test(line));
  const links = shown('a[href]').filter(({ href }) => /${offers.source}/i.test(href)).map(({ href }) => 'a link to ' + href);
  return [...new Set([...icons, ...families, ...pictures, ...links, ...lines.map((line) => 'it says "' + line.slice(0, 160) + '"')])];
})()`;
