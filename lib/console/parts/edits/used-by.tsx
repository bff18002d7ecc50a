import type { JSX } from 'preact';
import { countOf } from '../../words/numbers.ts';
import { Confirm } from '../confirm.tsx';

/** A strategy that uses a thing. */
export interface Use {
  readonly projectId: string;
  readonly featureName: string;
  readonly environment: string;
}

/** The flags whose strategies use a thing, each with its environments. */
export function UsedBy({ uses }: { readonly uses: readonly Use[] }): JSX.Element {
  const flags = [...Map.groupBy(uses, ({ projectId, featureName }) => `${projectId} ${featureName}`).values()];
  return (
    <ul class="used-by">
      {flags.flatMap((all) => {
        const [first] = all;
        if (first === undefined) return [];
        const { projectId, featureName } = first;
        const environments = [...new Set(all.map(({ environment }) => environment))];
        return (
          <li key={`${projectId} ${featureName}`}>
            <a class="mono" href={`/projects/${projectId}/features/${featureName}`}>
              {featureName}
            </a>{' '}
            <span class="muted">{environments.join(', ')}</span>
          </li>
        );
      })}
    </ul>
  );
}

interface DeleteUsedProps {
  /** The thing by its kind and name: "the segment “beta”". */
  readonly thing: string;
  /** The strategies that use it; undefined while they are read. */
  readonly uses: readonly Use[] | undefined;
  /** The effect of deleting a thing that nothing uses. */
  readonly effect: string;
  readonly act: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks before a thing is deleted. If something uses it, the dialog lists the uses instead. */
export function DeleteUsed({ thing, uses, effect, act, onClose }: DeleteUsedProps): JSX.Element {
  const isUsed = uses !== undefined && uses.length > 0;
  return (
    <Confirm
      title={isUsed ? `${thing[0]?.toUpperCase()}${thing.slice(1)} is in use` : `Delete ${thing}?`}
      verb={isUsed ? undefined : 'Delete'}
      cancel={isUsed ? 'Close' : undefined}
      isDanger
      isDisabled={uses === undefined}
      act={act}
      onClose={onClose}
    >
      {isUsed ? (
        <>
          <p>
            {countOf(uses.length, 'strategy uses', 'strategies use')} it. It can be deleted once none does any more.
          </p>
          <UsedBy uses={uses} />
        </>
      ) : (
        <p>{effect}</p>
      )}
    </Confirm>
  );
}
