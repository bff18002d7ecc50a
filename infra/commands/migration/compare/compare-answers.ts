import type { ClientAnswer, ClientFlag } from './client-answer.ts';
import { buildContexts } from './contexts.ts';
import { type SdkContext, type SdkDecision, SdkEngine, withRandom } from './sdk-engine.ts';

/** A flag that SDKs see differently on the target. */
export interface Divergence {
  readonly flag: string;
  /** The difference, as the end of a sentence whose subject is the flag. */
  readonly difference: string;
  /** The first contexts for which the decisions differ. */
  readonly examples: readonly DivergentDecision[];
}

interface DivergentDecision {
  readonly context: SdkContext;
  readonly source: SdkDecision;
  readonly target: SdkDecision;
}

/** The result of comparing the flags of one token. */
export interface ComparedAnswers {
  readonly decisions: number;
  readonly divergences: readonly Divergence[];
}

const maxExamples = 3;

interface ComparedFlags {
  readonly flags: readonly string[];
  /** The maximum number of decisions per flag. */
  readonly perFlag: number;
  /** Called for each flag. */
  readonly onCompared?: (() => void) | undefined;
}

/** Compares flags in the answers of two servers, by up to `perFlag` decisions each. */
export function compareAnswers(
  source: ClientAnswer,
  target: ClientAnswer,
  { flags, perFlag, onCompared }: ComparedFlags,
): ComparedAnswers {
  const engines = { source: new SdkEngine(source), target: new SdkEngine(target) };
  let decisions = 0;
  const divergences = flags.flatMap((name, index): Divergence[] => {
    onCompared?.();
    const sourceFlag = source.flags.get(name);
    const targetFlag = target.flags.get(name);
    if (sourceFlag === undefined) return [{ flag: name, difference: 'exists only on the new server', examples: [] }];
    if (targetFlag === undefined) return [{ flag: name, difference: 'is missing on the new server', examples: [] }];
    const contexts = buildContexts(sourceFlag, source, index * perFlag, perFlag);
    decisions += contexts.length;
    const differences = contexts.flatMap((context, draw) => compareDecision(engines, name, context, draw));
    const properties = listDifferentProperties(sourceFlag, targetFlag);
    if (differences.length === 0 && properties.length === 0) return [];
    const decided =
      differences.length > 0 ? [`gets another decision in ${differences.length} of ${contexts.length} cases`] : [];
    const difference = [...decided, ...properties.map((property) => `has another ${property}`)].join(', and ');
    return [{ flag: name, difference, examples: differences.slice(0, maxExamples) }];
  });
  return { decisions, divergences };
}

function compareDecision(
  engines: Readonly<Record<'source' | 'target', SdkEngine>>,
  flag: string,
  context: SdkContext,
  draw: number,
): DivergentDecision[] {
  const random = ((draw * 61) % 100) / 100;
  const source = withRandom(random, () => engines.source.decide(flag, context));
  const target = withRandom(random, () => engines.target.decide(flag, context));
  const isSame =
    source.enabled === target.enabled && source.variant === target.variant && source.payload === target.payload;
  return isSame ? [] : [{ context, source, target }];
}

/** Returns the properties that differ, of those that SDKs pass on to applications or report. */
function listDifferentProperties(sourceFlag: ClientFlag, targetFlag: ClientFlag): string[] {
  return (['project', 'type', 'stale', 'impressionData'] as const).filter(
    (name) => sourceFlag[name] !== targetFlag[name],
  );
}
