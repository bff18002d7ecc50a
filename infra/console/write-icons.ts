import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The icons of Lucide that the console shows. */
const names = [
  'activity',
  'archive',
  'arrow-down',
  'archive-restore',
  'arrow-up',
  'boxes',
  'bot',
  'calendar-clock',
  'check',
  'chevron-right',
  'circle-question-mark',
  'clock',
  'copy',
  'ellipsis-vertical',
  'external-link',
  'flag',
  'flask-conical',
  'folder',
  'folder-input',
  'git-pull-request',
  'globe',
  'info',
  'key-round',
  'layers',
  'link',
  'lock',
  'log-in',
  'log-out',
  'mail',
  'menu',
  'message-square',
  'moon',
  'pause',
  'pencil',
  'play',
  'plus',
  'power',
  'rocket',
  'rotate-ccw',
  'rotate-ccw-clock',
  'search',
  'send',
  'server',
  'settings-2',
  'shield',
  'sliders-horizontal',
  'split',
  'star',
  'sunset',
  'tag',
  'trash',
  'trending-up',
  'triangle-alert',
  'upload',
  'user',
  'user-plus',
  'users',
  'wifi-off',
  'x',
  'zap',
];

type Node = readonly [string, Readonly<Record<string, string>>];

const source = new URL(import.meta.resolve('lucide-static/icon-nodes.json'));
const target = fileURLToPath(new URL('../../lib/console/parts/icons.ts', import.meta.url));

/** Writes the icons of the console to a file of its own, so that its build needs no package of icons. */
export function writeIcons(): void {
  const nodes = JSON.parse(readFileSync(source, 'utf8')) as Record<string, readonly Node[]>;
  const licence = readFileSync(new URL('LICENSE', source), 'utf8');
  const notice = licence
    .trim()
    .split('\n')
    .map((line) => ` * ${line}`.trimEnd());
  const rows = names.map((name) => {
    const icon = nodes[name];
    if (icon === undefined) throw new Error(`Lucide has no icon "${name}".`);
    return `  '${name}': ${JSON.stringify(icon)},`;
  });
  const text = [
    '/*!',
    ' * Icons of Lucide (https://lucide.dev), written by "npm run generate".',
    ' *',
    ...notice,
    ' */',
    'type Node = readonly [tag: string, attributes: Readonly<Record<string, string>>];',
    '',
    '/** Drawings in a square of 24 units, by name. */',
    'export const icons = {',
    ...rows,
    '} as const satisfies Readonly<Record<string, readonly Node[]>>;',
    '',
    'export type IconName = keyof typeof icons;',
    '',
  ].join('\n');
  writeFileSync(target, text);
  // The check of the repository wants it in the form of all other files.
  execFileSync(process.execPath, [
    fileURLToPath(import.meta.resolve('@biomejs/biome/bin/biome')),
    'format',
    '--write',
    target,
  ]);
}
