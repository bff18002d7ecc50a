import './states.css';
import type { ComponentChildren, JSX } from 'preact';
import type { Refusal } from '../data/client.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import type { IconName } from './icons.ts';

interface BannerProps {
  readonly tone: 'info' | 'warn' | 'bad';
  readonly icon: IconName;
  readonly title: string;
  readonly action?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** A message above the content that it is about. */
export function Banner({ tone, icon, title, action, children }: BannerProps): JSX.Element {
  return (
    <div class={`banner ${tone}`}>
      <Icon name={icon} size={18} />
      <div class="grow">
        <strong>{title}</strong>
        {children !== undefined && <div class="banner-text">{children}</div>}
      </div>
      {action}
    </div>
  );
}

interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  readonly action?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** Shown instead of an empty list: the reason why it is empty, and an action. */
export function Empty({ icon, title, action, children }: EmptyProps): JSX.Element {
  return (
    <div class="empty">
      <Icon name={icon} size={28} />
      <strong>{title}</strong>
      <p>{children}</p>
      {action}
    </div>
  );
}

/** Shown instead of a list while it loads. It appears after 150 ms. */
export function Skeleton({ rows = 6 }: { readonly rows?: number }): JSX.Element {
  return (
    <div class="skeleton" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, index) => (
        <span key={index} />
      ))}
    </div>
  );
}

/** Shown instead of a part that could not be loaded. */
export function Problem({
  problem,
  onRetry,
}: {
  readonly problem: Refusal;
  readonly onRetry: () => void;
}): JSX.Element {
  // A second try would be refused as well.
  if (problem.status === 403) {
    return (
      <Banner tone="info" icon="lock" title="You may not see this">
        {problem.message} Ask an Admin for access.
      </Banner>
    );
  }
  return (
    <div role="alert">
      <Banner
        tone="bad"
        icon="triangle-alert"
        title={problem.message}
        action={<Button onClick={onRetry}>Try again</Button>}
      >
        {problem.requestId !== undefined && (
          <>
            Request <code>{problem.requestId}</code>
          </>
        )}
      </Banner>
    </div>
  );
}
