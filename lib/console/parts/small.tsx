import './small.css';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { describeAge } from '../words/times.ts';
import { Icon } from './icon.tsx';
import type { IconName } from './icons.ts';

/** The meaning of a colour: on, a warning, danger, or a hint. */
export type Tone = 'on' | 'warn' | 'bad' | 'info';

interface ToneProps {
  readonly tone?: Tone | undefined;
  readonly children: ComponentChildren;
}

export function Tag({ tone, children }: ToneProps): JSX.Element {
  return <span class={`tag ${tone ?? ''}`}>{children}</span>;
}

export function Pill({ tone, icon, children }: ToneProps & { readonly icon?: IconName }): JSX.Element {
  return (
    <span class={`pill ${tone ?? ''}`}>
      {icon !== undefined && <Icon name={icon} size={13} />}
      {children}
    </span>
  );
}

/** The first letter of a person's name. */
export function Avatar({ name }: { readonly name: string }): JSX.Element {
  return (
    <span class="avatar" aria-hidden="true">
      {[...name.trim()][0]?.toUpperCase() ?? '?'}
    </span>
  );
}

interface MeterProps {
  /** The share in per cent. */
  readonly value: number;
  /** True for a grey bar, if the share is of something that is off. */
  readonly isOff?: boolean;
}

/** A share as a bar. */
export function Meter({ value, isOff = false }: MeterProps): JSX.Element {
  return (
    <span class={isOff ? 'meter off' : 'meter'} aria-hidden="true">
      <span style={{ width: `${Math.max(0, Math.min(100, value))}%` }} />
    </span>
  );
}

/** A time as its age, which keeps up to date. The tooltip has the exact time. */
export function Ago({ time }: { readonly time: string }): JSX.Element {
  const [, redraw] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => redraw((count) => count + 1), 30_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={time} title={new Date(time).toLocaleString()}>
      {describeAge(time)}
    </time>
  );
}
