import './new-secret.css';
import type { ComponentChildren, JSX } from 'preact';
import { Button } from '../button.tsx';
import { CopyButton } from './copy-button.tsx';

interface NewSecretProps {
  readonly title: string;
  /** The kind of secret: a token is stored, a link is sent to somebody. */
  readonly thing: 'token' | 'link';
  readonly secret: string;
  readonly onClose: () => void;
  /** The way to use it. */
  readonly children?: ComponentChildren;
}

/** A secret that is shown once, after it was created. */
export function NewSecret({ title, thing, secret, onClose, children }: NewSecretProps): JSX.Element {
  return (
    <section class="card new-secret" aria-label={title}>
      <h2>{title}</h2>
      <p>It is shown only now.{thing === 'token' && ' Store it in a safe place.'}</p>
      <output class="mono">{secret}</output>
      {children}
      <div class="new-secret-foot">
        <CopyButton text={secret} label={`Copy the ${thing}`} />
        <Button kind="solid" onClick={onClose}>
          {thing === 'token' ? 'I have stored it' : 'Done'}
        </Button>
      </div>
    </section>
  );
}
