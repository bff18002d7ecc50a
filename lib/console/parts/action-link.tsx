import type { JSX } from 'preact';
import { Button, ButtonLink } from './button.tsx';
import type { IconName } from './icons.ts';

interface ActionLinkProps {
  readonly href: string;
  readonly icon: IconName;
  readonly children: string;
  readonly kind?: 'solid' | 'plain';
  /** The reason why the reader may not do it. */
  readonly reason: string | undefined;
}

/** A link to the page on which something is done; for a reader who may not do it, a button that says why. */
export function ActionLink({ href, icon, children, kind = 'solid', reason }: ActionLinkProps): JSX.Element {
  return reason === undefined ? (
    <ButtonLink kind={kind} icon={icon} href={href}>
      {children}
    </ButtonLink>
  ) : (
    <Button kind={kind} icon={icon} reason={reason}>
      {children}
    </Button>
  );
}
