import './why.css';
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ExplanationResult } from '../../delivery/evaluation/explanation.ts';
import type { ConsoleFlag } from '../../screens/flag-schema.ts';
import { getContextFields } from '../calls/context-fields.ts';
import { useRead } from '../data/cache.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field, FieldProblem } from '../parts/field.tsx';
import { listAskedFields } from '../preview/asked-fields.ts';
import { explainFlag } from '../preview/explain-flag.ts';
import type { TypedContext } from '../preview/typed-context.ts';
import { describeVerdict } from './reasons.ts';
import { Traces } from './trace.tsx';

export interface WhyProps {
  readonly flag: ConsoleFlag;
  readonly onClose: () => void;
}

/** Answers "who gets it, and why?" for a user that one types in. */
export function Why({ flag, onClose }: WhyProps): JSX.Element {
  const { environments } = flag.feature;
  const [environment, setEnvironment] = useState(
    (environments.find(({ type }) => type === 'production') ?? environments[0])?.name ?? '',
  );
  const [typed, setTyped] = useState<TypedContext>({});
  const [result, setResult] = useState<ExplanationResult>();
  const [problem, setProblem] = useState<string>();
  const fields = useMemo(() => listAskedFields(flag, environment), [flag, environment]);
  const { value: known } = useRead(getContextFields({}), 60_000);
  const legalValuesOf = (field: string) => known?.find(({ name }) => name === field)?.legalValues ?? [];
  useEffect(() => {
    let isCurrent = true;
    explainFlag(flag, environment, typed).then(
      (found) => {
        if (!isCurrent) return;
        setResult(found);
        setProblem(undefined);
      },
      () => isCurrent && setProblem('These conditions take more work than one request may.'),
    );
    return () => {
      isCurrent = false;
    };
  }, [flag, environment, typed]);
  return (
    <Dialog
      kind="wide"
      title="Who gets it, and why?"
      onClose={onClose}
      actions={<Button onClick={onClose}>Close</Button>}
    >
      <div class="why-context">
        <Field label="Environment">
          <select class="input" value={environment} onChange={(event) => setEnvironment(event.currentTarget.value)}>
            {environments.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </Field>
        {fields.map((field) => (
          <Field key={field} label={field}>
            {legalValuesOf(field).length > 0 ? (
              <select
                class="input"
                value={typed[field] ?? ''}
                onChange={(event) => setTyped({ ...typed, [field]: event.currentTarget.value })}
              >
                <option value="">none</option>
                {legalValuesOf(field).map(({ value }) => (
                  <option key={value} value={value}>
                    {value}
                  </option>
                ))}
              </select>
            ) : (
              <input
                class="input"
                autocomplete="off"
                value={typed[field] ?? ''}
                onInput={(event) => setTyped({ ...typed, [field]: event.currentTarget.value })}
              />
            )}
          </Field>
        ))}
      </div>
      {problem !== undefined && <FieldProblem text={problem} />}
      {result !== undefined && problem === undefined && (
        <Verdict result={result} typed={typed} isOn={isOnIn(flag, environment)} />
      )}
    </Dialog>
  );
}

function isOnIn({ feature }: ConsoleFlag, environment: string): boolean {
  return feature.environments.find(({ name }) => name === environment)?.enabled ?? false;
}

interface VerdictProps {
  readonly result: ExplanationResult;
  readonly typed: TypedContext;
  readonly isOn: boolean;
}

function Verdict({ result, typed, isOn }: VerdictProps): JSX.Element {
  const { variant, strategies, hasUnsatisfiedDependency } = result;
  const { word, reason } = describeVerdict(result, typed, isOn);
  return (
    <>
      <p class={word === 'On' ? 'verdict on' : 'verdict'} role="status">
        <b>{word}</b>
        {reason !== undefined && <span>{reason}</span>}
        {variant.enabled && word === 'On' && <span>with the variant {variant.name}</span>}
        {!isOn && <span>The flag is switched off here.</span>}
        {hasUnsatisfiedDependency && <span>A flag that it depends on is not as required.</span>}
      </p>
      <Traces strategies={strategies} typed={typed} />
    </>
  );
}
