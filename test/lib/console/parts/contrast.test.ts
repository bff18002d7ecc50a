import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { colours } from '../../../../lib/pages/plain-page.ts';

const styles = readFileSync('lib/console/parts/tokens.css', 'utf8');

type Palette = Readonly<Record<string, string>>;

/** Reads the colours of a theme; a colour without a pair is that of both. */
function paletteOf(theme: 'light' | 'dark'): Palette {
  const colours = styles.matchAll(/--([\w-]+): (?:light-dark\((#[\da-f]{6}), (#[\da-f]{6})\)|(#[\da-f]{6}));/g);
  return Object.fromEntries(
    [...colours].map(([, name = '', light = '', dark = '', both]) => [
      name,
      both ?? (theme === 'light' ? light : dark),
    ]),
  );
}

const light = paletteOf('light');
const dark = paletteOf('dark');

/** The relative luminance of a colour (WCAG 2.2). */
function luminanceOf(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrastOf(palette: Palette, [one, other]: readonly [string, string]): number {
  const [darker = 0, lighter = 0] = [one, other]
    .map((name) => luminanceOf(palette[name] ?? ''))
    .toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

type Pair = readonly [front: string, back: string];

const pairsOf = (fronts: readonly string[], backs: readonly string[]): Pair[] =>
  fronts.flatMap((front) => backs.map((back) => [front, back] as const));

const texts: readonly Pair[] = [
  ...pairsOf(['ink', 'ink-2', 'ink-3'], ['bg', 'surface', 'raised', 'sunken', 'hover', 'selected']),
  ...pairsOf(['on-solid'], ['solid', 'solid-hover']),
  ...pairsOf(['on-bad'], ['bad', 'bad-hover']),
  ...pairsOf(['accent'], ['bg', 'surface', 'accent-soft']),
  ...['on', 'warn', 'bad', 'info', 'off'].flatMap((state) =>
    pairsOf([`${state}-text`], [`${state}-soft`, 'surface', 'bg']),
  ),
  ...pairsOf(['add-text'], ['add', 'add-mark']),
  ...pairsOf(['del-text'], ['del', 'del-mark']),
  ...pairsOf(['ink'], ['add', 'del']),
];

const shapes: readonly Pair[] = [
  ...pairsOf(['line-strong', 'focus'], ['bg', 'surface']),
  ...pairsOf(['knob'], ['on', 'track-off']),
  ...pairsOf(['on', 'track-off', 'v1', 'v2', 'v3', 'v4', 'v5'], ['surface']),
];

describe.each([
  ['light', light],
  ['dark', dark],
])('The %s colours of the console', (_, palette) => {
  test.each(texts)('can be read: %s on %s', (...pair) => {
    expect(contrastOf(palette, pair)).toBeGreaterThanOrEqual(4.5);
  });

  test.each(shapes)('can be told apart: %s on %s', (...pair) => {
    expect(contrastOf(palette, pair)).toBeGreaterThanOrEqual(3);
  });
});

test('Pages without scripts have the colours of the console', () => {
  const lines = [...colours.matchAll(/--([\w-]+): light-dark\((#\w+), (#\w+)\)/g)];
  expect(lines.length).toBeGreaterThan(5);
  for (const [, name = '', inLight, inDark] of lines)
    expect([inLight, inDark], name).toEqual([light[name], dark[name]]);
});
