import './safeguards.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { SafeguardEvidenceView } from '../../safeguards/safeguard-evidence-schema.ts';
import { getSafeguardEvidence } from '../calls/safeguards.ts';
import { type FlagChange, reasonAgainst } from '../change/change-way.ts';
import { placeOf } from '../change/place-of.ts';
import { useRead } from '../data/cache.ts';
import { Icon } from '../parts/icon.tsx';
import { Menu, type MenuItem } from '../parts/menu.tsx';
import { Ago } from '../parts/small.tsx';
import { useStart } from '../reader/start.ts';
import { describeTrigger, kindOfMetric } from '../words/safeguards.ts';
import { describeEvidence, findWait } from './describe-evidence.ts';
import {
  buildSafeguardRemoval,
  listSafeguards,
  type SafeguardPlace,
  type ShownSafeguard,
} from './safeguard-changes.ts';
import { SafeguardDialog } from './safeguard-dialog.tsx';
import { actionWords } from './safeguard-words.ts';
import { SignalDialog } from './signal-dialog.tsx';

interface SafeguardsProps extends Pick<SafeguardPlace, 'flag' | 'environment'> {
  readonly onChange: (change: FlagChange) => void;
}

/** The safeguards of a flag in an environment and of its plan there, with what each of them measures now. */
export function Safeguards({ flag, environment, onChange }: SafeguardsProps): JSX.Element {
  const { name } = environment;
  const { project, name: featureName } = flag.feature;
  const { value } = useRead(getSafeguardEvidence({ projectId: project, featureName, environment: name }));
  return (
    <section class="safeguards" aria-label={`Safeguards in ${name}`}>
      <h3>Safeguards</h3>
      <ul>
        {listSafeguards(environment).map(({ safeguard, planId }) => (
          <Row
            key={safeguard.id}
            where={{ flag, environment, planId }}
            safeguard={safeguard}
            evidence={value?.safeguards.find(({ id }) => id === safeguard.id)}
            onChange={onChange}
          />
        ))}
      </ul>
    </section>
  );
}

interface RowProps {
  readonly where: SafeguardPlace;
  readonly safeguard: ShownSafeguard;
  /** Undefined until it is read. */
  readonly evidence: SafeguardEvidenceView | undefined;
  readonly onChange: (change: FlagChange) => void;
}

const capitalize = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const tones = { idle: '', 'no data': 'warn', quiet: 'on', triggered: 'bad' } as const;

function Row({ where, safeguard, evidence, onChange }: RowProps): JSX.Element {
  const { value: start } = useStart();
  const [opened, setOpened] = useState<'edit' | 'signal'>();
  const { flag, environment, planId } = where;
  const { triggeredAt, impactMetric } = safeguard;
  const { metricName } = impactMetric;
  const permission = planId === undefined ? 'UPDATE_FEATURE_ENVIRONMENT' : 'UPDATE_FEATURE_STRATEGY';
  const reason = reasonAgainst(start, permission, placeOf(flag, environment.name), 'change safeguards');
  const condition = describeTrigger(safeguard);
  const items: readonly MenuItem[] = [
    { label: 'Edit', icon: 'pencil', reason, onChoose: () => setOpened('edit') },
    ...(kindOfMetric(metricName) === 'signal'
      ? [{ label: 'Create its token', icon: 'key-round' as const, reason, onChoose: () => setOpened('signal') }]
      : []),
    {
      label: 'Remove',
      icon: 'trash',
      isDanger: true,
      reason,
      onChoose: () => onChange(buildSafeguardRemoval(where, safeguard)),
    },
  ];
  return (
    <li>
      <Icon name="shield" />
      <div class="grow">
        <p>
          <b>{capitalize(actionWords[safeguard.action.type])}</b> if {condition}
          {planId === undefined && environment.releasePlans.length > 0 && ', with or without the plan'}
        </p>
        {triggeredAt !== undefined && (
          <p class={`safeguard-evidence ${evidence?.state === 'idle' ? 'bad' : ''}`}>
            <i aria-hidden="true" />
            <span>
              It acted <Ago time={triggeredAt} />
            </span>
          </p>
        )}
        {evidence !== undefined && (
          <p class={`safeguard-evidence ${tones[evidence.state]}`}>
            <i aria-hidden="true" />
            {evidence.state === 'triggered' && 'It acts: '}
            {describeEvidence(metricName, evidence, findWait(environment, planId))}
          </p>
        )}
      </div>
      <Menu label={`Acts on the safeguard: ${condition}`} items={items} />
      {opened === 'edit' && <SafeguardDialog {...where} safeguard={safeguard} onClose={() => setOpened(undefined)} />}
      {opened === 'signal' && <SignalDialog {...where} id={safeguard.id} onClose={() => setOpened(undefined)} />}
    </li>
  );
}
