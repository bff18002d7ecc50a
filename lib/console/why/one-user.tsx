import './why.css';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ExplanationResult } from '../../delivery/evaluation/explanation.ts';
import type { TypedContext } from '../../delivery/preview/typed-context.ts';
import { getContextFields } from '../calls/context-fields.ts';
import { useRead } from '../data/cache.ts';
import { FieldProblem } from '../parts/field.tsx';
import { SelectField } from '../parts/forms/select-field.tsx';
import { TextField } from '../parts/forms/text-field.tsx';
import { listAskedFields } from '../preview/asked-fields.ts';
import { type ExplainedFlag, explainFlag } from '../preview/explain-flag.ts';
import { describeVerdict } from './reasons.ts';
import { Traces } from './trace.tsx';

interface OneUserProps {
  readonly flag: ExplainedFlag;
  readonly environment: string;
  /** The strategy of the flag that is being edited, and the flag as it is today. */
  readonly edited?: { readonly strategyId: string; readonly today: ExplainedFlag };
  /** Fields before those of the user. */
  readonly children?: ComponentChildren;
}

/** Fields for all that the strategies of a flag ask of a user, and the answer whether that user gets it, with its reasons. */
export function OneUser({ flag, environment, edited, children }: OneUserProps): JSX.Element {
  const [typed, setTyped] = useState<TypedContext>({});
  const fields = useMemo(() => listAskedFields(flag, environment), [flag, environment]);
  const { value: known } = useRead(getContextFields({}), 60_000);
  const result = useExplanation(flag, environment, typed);
  const today = useExplanation(edited?.today ?? flag, environment, typed);
  const isOn = isOnIn(edited?.today ?? flag, environment);
  return (
    <>
      <div class="why-context">
        {children}
        {fields.map((field) => (
          <ContextValue
            key={field}
            field={field}
            legalValues={known?.find(({ name }) => name === field)?.legalValues ?? []}
            value={typed[field] ?? ''}
            onInput={(value) => setTyped({ ...typed, [field]: value })}
          />
        ))}
      </div>
      {result === 'too much' && <FieldProblem text="These conditions take more work than one request may." />}
      {result !== 'too much' && result !== undefined && (
        <>
          <Verdict result={result} typed={typed} isOn={isOn || edited !== undefined}>
            {!isOn && (
              <span>{edited === undefined ? 'The flag is switched off here.' : 'once the flag is switched on'}</span>
            )}
            {isOn && edited !== undefined && typeof today === 'object' && (
              <span>today: {describeVerdict(today, typed, isOn).word.toLowerCase()}</span>
            )}
          </Verdict>
          <Traces strategies={result.strategies} typed={typed} editedId={edited?.strategyId} />
        </>
      )}
    </>
  );
}

/** Explains a flag for a user, and again when one of them changes. */
function useExplanation(
  flag: ExplainedFlag,
  environment: string,
  typed: TypedContext,
): ExplanationResult | 'too much' | undefined {
  const [result, setResult] = useState<ExplanationResult | 'too much'>();
  useEffect(() => {
    let isCurrent = true;
    explainFlag(flag, environment, typed).then(
      (found) => isCurrent && setResult(found),
      () => isCurrent && setResult('too much'),
    );
    return () => {
      isCurrent = false;
    };
  }, [flag, environment, typed]);
  return result;
}

function isOnIn({ feature }: ExplainedFlag, environment: string): boolean {
  return feature.environments.find(({ name }) => name === environment)?.enabled ?? false;
}

interface ContextValueProps {
  readonly field: string;
  readonly legalValues: readonly { readonly value: string }[];
  readonly value: string;
  readonly onInput: (value: string) => void;
}

function ContextValue({ field, legalValues, value, onInput }: ContextValueProps): JSX.Element {
  if (legalValues.length === 0) return <TextField label={field} value={value} onInput={onInput} />;
  const options = [['', 'none'] as const, ...legalValues.map((legal) => legal.value)];
  return <SelectField label={field} value={value} options={options} onChoose={onInput} />;
}

interface VerdictProps {
  readonly result: ExplanationResult;
  readonly typed: TypedContext;
  readonly isOn: boolean;
  /** More sentences. */
  readonly children: ComponentChildren;
}

function Verdict({ result, typed, isOn, children }: VerdictProps): JSX.Element {
  const { variant, hasUnsatisfiedDependency } = result;
  const { word, reason } = describeVerdict(result, typed, isOn);
  return (
    <p class={word === 'On' ? 'verdict on' : 'verdict'} role="status">
      <b>{word}</b>
      {reason !== undefined && <span>{reason}</span>}
      {variant.enabled && word === 'On' && <span>with the variant {variant.name}</span>}
      {children}
      {hasUnsatisfiedDependency && <span>A flag that it depends on is not as required.</span>}
    </p>
  );
}
