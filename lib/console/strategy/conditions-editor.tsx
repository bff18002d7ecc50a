import './conditions-editor.css';
import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { conditionValues, takesList } from '../../delivery/preview/condition-values.ts';
import type { Constraint } from '../../features/strategies/constraint-schema.ts';
import { here } from '../browser/router.ts';
import { Button, ButtonLink } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { mayIn, useStart } from '../reader/start.ts';
import { operatorChoices } from '../words/conditions.ts';

interface ConditionsProps {
  readonly conditions: readonly Constraint[];
  readonly fields: readonly { readonly name: string; readonly legalValues: readonly string[] }[];
  readonly onChange: (conditions: readonly Constraint[]) => void;
}

/** The conditions of a strategy or a segment; all of them must hold. */
export function ConditionsEditor({ conditions, fields, onChange }: ConditionsProps): JSX.Element {
  const { value: start } = useStart();
  const replace = (index: number, condition: Constraint) =>
    onChange(conditions.map((each, position) => (position === index ? condition : each)));
  return (
    <div class="conditions">
      {conditions.map((condition, index) => (
        <Row
          key={index}
          condition={condition}
          fields={fields}
          onChange={(changed) => replace(index, changed)}
          onRemove={() => onChange(conditions.filter((_, position) => position !== index))}
        />
      ))}
      <div class="conditions-more">
        <Button icon="plus" onClick={() => onChange([...conditions, buildCondition(fields[0]?.name ?? 'userId')])}>
          Add a condition
        </Button>
        {mayIn(start, 'CREATE_CONTEXT_FIELD') && (
          <ButtonLink kind="quiet" href={`/context/create?back=${encodeURIComponent(here.value)}`}>
            New context field
          </ButtonLink>
        )}
      </div>
    </div>
  );
}

function buildCondition(contextName: string): Constraint {
  return { contextName, operator: 'IN', values: [], inverted: false, caseInsensitive: false };
}

interface RowProps {
  readonly condition: Constraint;
  readonly fields: ConditionsProps['fields'];
  readonly onChange: (condition: Constraint) => void;
  readonly onRemove: () => void;
}

function Row({ condition, fields, onChange, onRemove }: RowProps): JSX.Element {
  const { contextName, operator, inverted = false, caseInsensitive = false } = condition;
  const names = [...new Set([contextName, ...fields.map(({ name }) => name)])];
  const legalValues = fields.find(({ name }) => name === contextName)?.legalValues ?? [];
  return (
    <fieldset class="condition-row">
      <legend class="hidden">Condition on {contextName}</legend>
      <select
        class="input"
        aria-label="Field"
        value={contextName}
        onChange={(event) => onChange({ ...condition, contextName: event.currentTarget.value, values: [] })}
      >
        {names.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      <select
        class="input"
        aria-label="Comparison"
        value={operator}
        onChange={(event) => onChange(withOperator(condition, event.currentTarget.value as Constraint['operator']))}
      >
        {operatorChoices.map(({ operator: each, words }) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
      </select>
      <Button kind="quiet" aria-label={`Remove the condition on ${contextName}`} onClick={onRemove}>
        <Icon name="trash" />
      </Button>
      <Values
        values={conditionValues(condition)}
        isList={takesList(operator)}
        legalValues={legalValues}
        onChange={(values) =>
          onChange(
            takesList(operator) ? { ...condition, values: [...values] } : { ...condition, value: values[0] ?? '' },
          )
        }
      />
      <span class="condition-options">
        <label>
          <input type="checkbox" checked={inverted} onChange={() => onChange({ ...condition, inverted: !inverted })} />
          not
        </label>
        {operator.startsWith('STR_') && (
          <label>
            <input
              type="checkbox"
              checked={caseInsensitive}
              onChange={() => onChange({ ...condition, caseInsensitive: !caseInsensitive })}
            />
            ignore case
          </label>
        )}
      </span>
    </fieldset>
  );
}

/** Changes the comparison; a value goes along where the other one takes values of the same kind. */
function withOperator(condition: Constraint, operator: Constraint['operator']): Constraint {
  const values = conditionValues(condition);
  const { value: _value, ...others } = condition;
  return takesList(operator)
    ? { ...others, operator, values: [...values] }
    : { ...others, operator, values: [], value: values[0] ?? '' };
}

interface ValuesProps {
  readonly values: readonly string[];
  readonly isList: boolean;
  readonly legalValues: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
}

function Values({ values, isList, legalValues, onChange }: ValuesProps): JSX.Element {
  const [text, setText] = useState('');
  const id = useId();
  if (!isList) {
    return (
      <input
        class="input condition-values"
        aria-label="Value"
        value={values[0] ?? ''}
        onInput={(event) => onChange([event.currentTarget.value])}
      />
    );
  }
  const add = (typed: string) => {
    const parts = typed
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean);
    if (parts.length > 0) onChange([...new Set([...values, ...parts])]);
    setText('');
  };
  return (
    <div class="condition-values">
      {/* A legal value keeps its position when it is chosen. */}
      {[...new Set([...legalValues, ...values])].map((value) => {
        const isChosen = values.includes(value);
        return (
          <button
            key={value}
            type="button"
            class={isChosen ? 'chip chosen' : 'chip'}
            aria-label={`${isChosen ? 'Remove' : 'Add'} ${value}`}
            onClick={() => onChange(isChosen ? values.filter((each) => each !== value) : [...values, value])}
          >
            {value} <Icon name={isChosen ? 'x' : 'plus'} size={12} />
          </button>
        );
      })}
      {legalValues.length === 0 && (
        <input
          id={id}
          class="input"
          aria-label="Add values: Enter or a comma ends each"
          placeholder="Add values"
          value={text}
          onInput={(event) => {
            const typed = event.currentTarget.value;
            if (typed.includes(',')) add(typed);
            else setText(typed);
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            add(text);
          }}
          onBlur={() => add(text)}
        />
      )}
    </div>
  );
}
