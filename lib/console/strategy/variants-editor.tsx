import './variants-editor.css';
import type { JSX } from 'preact';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { WeightBar } from '../parts/weight-bar.tsx';
import { shareWeights, type Variant } from './draft.ts';

interface VariantsProps {
  readonly variants: readonly Variant[];
  readonly stickiness: string;
  readonly onChange: (variants: readonly Variant[]) => void;
}

/** The variants of a strategy: fixed shares, and others that take the rest in equal parts. */
export function VariantsEditor({ variants, stickiness, onChange }: VariantsProps): JSX.Element {
  const set = (index: number, change: Partial<Variant>) =>
    onChange(shareWeights(variants.map((each, position) => (position === index ? { ...each, ...change } : each))));
  return (
    <div class="variant-rows">
      {variants.length > 0 && <WeightBar weights={variants.map(({ weight }) => weight)} />}
      {variants.map((variant, index) => (
        <fieldset key={index} class="variant-row">
          <legend class="hidden">Variant {variant.name}</legend>
          <i class={`variants-dot variant-${(index % 5) + 1}`} aria-hidden="true" />
          <input
            class="input mono"
            aria-label="Name of the variant"
            value={variant.name}
            onInput={(event) => set(index, { name: event.currentTarget.value })}
          />
          <input
            class="input variant-share"
            type="number"
            min={0}
            max={100}
            step={0.1}
            aria-label="Share in per cent"
            disabled={variant.weightType !== 'fix'}
            value={variant.weight / 10}
            onInput={(event) => set(index, { weight: Math.round(Number(event.currentTarget.value) * 10) })}
          />
          <label class="variant-fixed">
            <input
              type="checkbox"
              checked={variant.weightType === 'fix'}
              onChange={() => set(index, { weightType: variant.weightType === 'fix' ? 'variable' : 'fix' })}
            />
            fixed
          </label>
          <Button
            kind="quiet"
            aria-label={`Remove the variant ${variant.name}`}
            onClick={() => onChange(shareWeights(variants.filter((_, position) => position !== index)))}
          >
            <Icon name="trash" />
          </Button>
          <select
            class="input"
            aria-label="Kind of payload"
            value={variant.payload?.type ?? ''}
            onChange={(event) => set(index, withPayloadType(variant, event.currentTarget.value))}
          >
            <option value="">No payload</option>
            {['string', 'json', 'csv', 'number'].map((type) => (
              <option key={type}>{type}</option>
            ))}
          </select>
          {variant.payload !== undefined && (
            <input
              class="input mono variant-payload"
              aria-label="Payload"
              value={variant.payload.value}
              onInput={(event) =>
                set(index, { payload: { type: variant.payload?.type ?? 'string', value: event.currentTarget.value } })
              }
            />
          )}
        </fieldset>
      ))}
      <Button
        icon="plus"
        onClick={() =>
          onChange(
            shareWeights([
              ...variants,
              { name: `variant-${variants.length + 1}`, weight: 0, weightType: 'variable', stickiness },
            ]),
          )
        }
      >
        Add a variant
      </Button>
    </div>
  );
}

type PayloadType = NonNullable<Variant['payload']>['type'];

function withPayloadType(variant: Variant, type: string): Variant {
  const { payload, ...others } = variant;
  return type === '' ? others : { ...others, payload: { type: type as PayloadType, value: payload?.value ?? '' } };
}
