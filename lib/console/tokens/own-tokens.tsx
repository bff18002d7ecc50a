import '../parts/forms/form.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { createPat, deletePat, getPats } from '../calls/tokens.ts';
import { reload, useRead } from '../data/cache.ts';
import { Button } from '../parts/button.tsx';
import { NewSecret } from '../parts/forms/new-secret.tsx';
import { Empty, Problem, Skeleton } from '../parts/states.tsx';
import { NewPersonalToken } from './new-personal-token.tsx';
import { PersonalTokens } from './personal-tokens.tsx';

/** The reader's own tokens, with which programs act for them. */
export function OwnTokens(): JSX.Element {
  const path = getPats({});
  const { value, problem } = useRead(path, 30_000);
  const [isAdding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string>();
  const add = (
    <Button icon="plus" onClick={() => setAdding(true)}>
      New token of yours
    </Button>
  );
  return (
    <section class="section" aria-label="Your tokens">
      <div class="section-head">
        <p class="section-note">With one of these, a program may do what you may do, or only propose it.</p>
        {value !== undefined && value.pats.length > 0 && !isAdding && add}
      </div>
      {secret !== undefined && (
        <NewSecret title="Your new token" thing="token" secret={secret} onClose={() => setSecret(undefined)} />
      )}
      {isAdding && (
        <NewPersonalToken
          hint="The program that gets it, such as release-script."
          create={async (body) => {
            setSecret((await createPat({}, { body })).body.secret);
            setAdding(false);
            await reload(path);
          }}
          onClose={() => setAdding(false)}
        />
      )}
      {problem !== undefined && <Problem problem={problem} onRetry={() => reload(path)} />}
      {value === undefined && problem === undefined && <Skeleton rows={3} />}
      {value?.pats.length === 0 && !isAdding && (
        <div class="card">
          <Empty icon="key-round" title="You have no token" action={add}>
            A script needs one to call the API for you.
          </Empty>
        </div>
      )}
      {value !== undefined && value.pats.length > 0 && (
        <PersonalTokens
          pats={value.pats}
          remove={async (id) => {
            await deletePat({ id });
            await reload(path);
          }}
        />
      )}
    </section>
  );
}
