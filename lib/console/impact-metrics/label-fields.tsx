import type { JSX } from 'preact';
import { addressOfValues } from '../calls/impact-metrics.ts';
import { useRead } from '../data/cache.ts';
import { Chips, toggle } from '../parts/forms/chips.tsx';

/** The most values of a label to choose from. */
const valuesMax = 20;

type Measure = Parameters<typeof addressOfValues>[0];

interface LabelFieldsProps {
  /** A metric, and the values of its labels that are chosen. */
  readonly measure: Measure;
  /** The name of the choice that keeps all values of a label apart. */
  readonly each: string;
  readonly onChange: (labelSelectors: Measure['labelSelectors']) => void;
}

/** The values of the labels to choose from: those of the metric, and those that were chosen before. */
export function LabelFields({ measure, each, onChange }: LabelFieldsProps): JSX.Element {
  const { labelSelectors } = measure;
  // Without a selection, so that the same values stay to choose from.
  const { value } = useRead(addressOfValues({ ...measure, labelSelectors: {} }), 30_000);
  const { metric_type: _, ...labels } = value?.labels ?? {};
  const choose = (label: string, chosen: string) => {
    const old = labelSelectors[label] ?? [];
    const next =
      chosen === '*'
        ? toggle(old.includes('*') ? old : [], '*')
        : toggle(
            old.filter((other) => other !== '*'),
            chosen,
          );
    onChange({ ...labelSelectors, [label]: [...next] });
  };
  return (
    <>
      {[...new Set([...Object.keys(labels), ...Object.keys(labelSelectors)])].map((label) => {
        const chosen = labelSelectors[label] ?? [];
        const values = new Set([...chosen, ...(labels[label] ?? []).slice(0, valuesMax)]);
        values.delete('*');
        return (
          <Chips
            key={label}
            label={label}
            options={[['*', each], ...[...values].toSorted().map((option) => [option, option] as const)]}
            chosen={chosen}
            onPress={(pressed) => choose(label, pressed)}
          />
        );
      })}
    </>
  );
}
