import type { JSX } from 'preact';
import { type IconName, icons } from './icons.ts';

/** Shows an icon. Without a label it is decoration, which screen readers skip. */
export function Icon({ name, size = 16, label }: { name: IconName; size?: number; label?: string }): JSX.Element {
  const names = label === undefined ? { 'aria-hidden': true } : { role: 'img' as const, 'aria-label': label };
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: it is hidden from screen readers, or has a label
    <svg
      class="icon"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="1.9"
      stroke-linecap="round"
      stroke-linejoin="round"
      {...names}
    >
      {icons[name].map(([Shape, attributes]) => {
        const Element = Shape as 'path';
        return <Element key={JSON.stringify(attributes)} {...attributes} />;
      })}
    </svg>
  );
}
