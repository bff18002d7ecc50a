import './environment-card.css';
import { Fragment, type JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { FeatureEnvironmentView } from '../../features/feature-schema.ts';
import type { ConsoleFlag } from '../../screens/flag-schema.ts';
import { type FlagChange, hasOverride, reasonAgainst } from '../change/change-way.ts';
import { placeOf } from '../change/place-of.ts';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { Later } from '../parts/later.tsx';
import { Sparkline } from '../parts/sparkline.tsx';
import { Switch } from '../parts/switch.tsx';
import { mayIn, useStart } from '../reader/start.ts';
import { StrategyView } from '../strategy/strategy-view.tsx';
import { countOf, percent, shortCount } from '../words/numbers.ts';
import { FlagVariants } from './flag-variants.tsx';
import { StrategyMenu } from './strategy-menu.tsx';

interface EnvironmentCardProps {
  readonly flag: ConsoleFlag;
  readonly environment: FeatureEnvironmentView;
  readonly reason: string | undefined;
  readonly onSwitch: (isOn: boolean) => void;
  readonly onChange: (change: FlagChange) => void;
}

/** The approval that changes need; those who may change the rules of it get there by a click. */
function Shield({ project, environment, approvals }: ShieldProps): JSX.Element {
  const { value: start } = useStart();
  const isOverridden = hasOverride(start, project, environment);
  const content = (
    <>
      <Icon name="shield" size={14} />
      {isOverridden ? 'override' : `needs ${countOf(approvals, 'approval')}`}
    </>
  );
  if (!rulesPermissions.some((permission) => mayIn(start, permission, project)))
    return <span class="environment-shield">{content}</span>;
  return (
    <a class="environment-shield" href={`/projects/${project}/settings#rules`} title="Rules of approval">
      {content}
    </a>
  );
}

interface ShieldProps {
  readonly project: string;
  readonly environment: string;
  readonly approvals: number;
}

/** Permissions of which one is enough to change the rules of approval. */
const rulesPermissions = ['UPDATE_PROJECT', 'PROJECT_CHANGE_REQUEST_WRITE'];

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

/** Loads release plans and safeguards, which few flags have. */
const loadPart = async () => (await import('./environment-part.tsx')).EnvironmentPart;

/** A flag in an environment: its switch, how often it was evaluated, and whom it reaches. */
export function EnvironmentCard({ flag, environment, reason, onSwitch, onChange }: EnvironmentCardProps): JSX.Element {
  const [opened, setOpened] = useState<'use-plan' | 'new-safeguard'>();
  const { name, enabled, strategies, releasePlans, safeguards, yes, no } = environment;
  const props = { flag, environment, onChange, onClose: () => setOpened(undefined) };
  const more = flag.environments.find((each) => each.name === name);
  const calls = sum(more?.yes ?? []) + sum(more?.no ?? []);
  const approvals = more?.approvals;
  const editor = `/projects/${flag.feature.project}/features/${flag.feature.name}/strategies`;
  return (
    <section class="card environment" aria-labelledby={`environment-${name}`}>
      <header>
        <h2 id={`environment-${name}`}>{name}</h2>
        {approvals !== undefined && <Shield project={flag.feature.project} environment={name} approvals={approvals} />}
        <Switch isOn={enabled} label={`${flag.feature.name} in ${name}`} reason={reason} onSwitch={onSwitch} />
      </header>
      <div class="environment-use">
        {calls === 0 || more === undefined ? (
          <p class="muted">No application has asked in 24 hours</p>
        ) : (
          <>
            <Sparkline yes={more.yes} no={more.no} />
            <p>
              <span>
                <b>{percent(yes, yes + no)} on</b> this hour
              </span>
              <span class="muted">{shortCount(calls)} in 24 h</span>
            </p>
          </>
        )}
      </div>
      <div class="environment-strategies">
        {releasePlans.length > 0 && <Later load={loadPart} props={{ ...props, part: 'plan' as const }} />}
        {releasePlans.length > 0 && strategies.length > 0 && (
          <h3 class="environment-own">Strategies of the flag itself, at every milestone</h3>
        )}
        {releasePlans.length + strategies.length === 0 && <p class="muted">No strategy: nobody gets it</p>}
        {strategies.map((strategy, index) => (
          <Fragment key={strategy.id}>
            {index > 0 && <span class="muted">or</span>}
            <StrategyView
              editor={`${editor}/edit?environmentId=${name}&strategyId=${strategy.id}`}
              strategy={strategy}
              segments={flag.segments}
              isOn={enabled}
            >
              <StrategyMenu
                flag={flag}
                environment={environment}
                strategy={strategy}
                editor={`${editor}/edit?environmentId=${name}&strategyId=${strategy.id}`}
                onChange={onChange}
              />
            </StrategyView>
          </Fragment>
        ))}
        {environment.variants.length > 0 && <FlagVariants flag={flag} environment={environment} onChange={onChange} />}
        {safeguards.length + releasePlans.flatMap((plan) => plan.safeguards).length > 0 && (
          <Later load={loadPart} props={{ ...props, part: 'safeguards' as const }} />
        )}
        <Additions
          flag={flag}
          environment={environment}
          editor={editor}
          onUsePlan={() => setOpened('use-plan')}
          onAddSafeguard={() => setOpened('new-safeguard')}
        />
        {opened !== undefined && <Later load={loadPart} props={{ ...props, part: opened }} />}
      </div>
    </section>
  );
}

interface AdditionsProps {
  readonly flag: ConsoleFlag;
  readonly environment: FeatureEnvironmentView;
  /** The address of the pages that edit strategies. */
  readonly editor: string;
  readonly onUsePlan: () => void;
  readonly onAddSafeguard: () => void;
}

/** The ways to add a strategy, a release plan and a safeguard. */
function Additions({ flag, environment, editor, onUsePlan, onAddSafeguard }: AdditionsProps): JSX.Element {
  const { value: start } = useStart();
  const { name, releasePlans } = environment;
  const hasPlan = releasePlans.length > 0;
  const reasonFor = (permission: string, act: string) => reasonAgainst(start, permission, placeOf(flag, name), act);
  // A plan and the environment have safeguards of their own, so one of the two permissions is enough.
  const mayGuardPlan = hasPlan && reasonFor('UPDATE_FEATURE_STRATEGY', 'change strategies') === undefined;
  return (
    <div class="environment-adds">
      <a class="environment-add" href={`${editor}/create?environmentId=${name}`}>
        <Icon name="plus" size={14} />
        Add a strategy
      </a>
      {!hasPlan && (
        <Button
          kind="quiet"
          class="environment-add"
          icon="rocket"
          reason={reasonFor('CREATE_FEATURE_STRATEGY', 'add strategies')}
          onClick={onUsePlan}
        >
          Use a release plan
          <span class="hidden"> in {name}</span>
        </Button>
      )}
      <Button
        kind="quiet"
        class="environment-add"
        icon="shield"
        reason={mayGuardPlan ? undefined : reasonFor('UPDATE_FEATURE_ENVIRONMENT', 'change safeguards')}
        onClick={onAddSafeguard}
      >
        Add a safeguard
        <span class="hidden"> in {name}</span>
      </Button>
    </div>
  );
}
