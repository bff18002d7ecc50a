import '../shell/sign-in.css';
import type { ComponentChildren, JSX } from 'preact';
import { Brand } from '../parts/brand.tsx';
import { Heading } from '../parts/heading.tsx';

/** The frame of a page for somebody who is not signed in. */
export function AccountPage({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <main class="sign-in">
      <div class="sign-in-form">
        <Brand size={34} />
        <Heading title={title} />
        {children}
      </div>
    </main>
  );
}

/** The page of a link that no longer works, with the next step. */
export function DeadLink({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <AccountPage title={title}>
      <p>{children}</p>
      <a class="button plain" href="/">
        Sign in
      </a>
    </AccountPage>
  );
}
