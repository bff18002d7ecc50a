import './new-secret.css';
import type { ComponentChildren, JSX } from 'preact';
import { Button } from '../button.tsx';
import { CopyButton } from './copy-button.tsx';

interface NewSecretProps {
  readonly title: string;
  /** Its kind: "token", "link". */
  readonly thing: string;
  readonly secret: string;
  readonly onClose: () => void;
  /** The use of it. */
  readonly children?: ComponentChildren;
}

/** A secret that is shown once, after it was created. */
export function NewSecret({ title, thing, secret, onClose, children }: NewSecretProps): JSX.Element {
  return (
    <section class="card new-secret" aria-label={title}>
      <h2>{title}</h2>
      <p>This is the only time that you see it. Store it where your secrets are.</p>
      <output class="mono">{secret}</output>
      {children}
      <div class="new-secret-foot">
        <CopyButton text={secret} label={`Copy the ${thing}`} />
        <Button kind="solid" onClick={onClose}>
          I have stored it
        </Button>
      </div>
    </section>
  );
}
