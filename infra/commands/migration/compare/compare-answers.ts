import type { ClientAnswer, ClientFlag } from './client-answer.ts';
import { contextsOf } from './contexts.ts';
import { type SdkContext, type SdkDecision, SdkEngine, withLuck } from './sdk-engine.ts';

/** A flag that SDKs see otherwise on the target. */
export interface Divergence {
  readonly flag: string;
  /** The difference, as the end of a sentence about the flag. */
  readonly what: string;
  /** The first contexts for which the decisions differ. */
  readonly examples: readonly DivergentDecision[];
}

interface DivergentDecision {
  readonly context: SdkContext;
  readonly source: SdkDecision;
  readonly target: SdkDecision;
}

/** The outcome of comparing what one token gets. */
export interface ComparedAnswers {
  readonly decisions: number;
  readonly divergences: readonly Divergence[];
}

const examplesMax = 3;

interface ComparedFlags {
  readonly flags: readonly string[];
  /** The most decisions about one of them. */
  readonly perFlag: number;
  /** Called for each of them. */
  readonly onCompared?: (() => void) | undefined;
}

/** Compares some flags as two servers deliver them, each by so many decisions. */
export function compareAnswers(
  source: ClientAnswer,
  target: ClientAnswer,
  { flags, perFlag, onCompared }: ComparedFlags,
): ComparedAnswers {
  const engines = { source: new SdkEngine(source), target: new SdkEngine(target) };
  let decisions = 0;
  const divergences = flags.flatMap((name, index): Divergence[] => {
    onCompared?.();
    const theirs = source.flags.get(name);
    const ours = target.flags.get(name);
    if (theirs === undefined) return [{ flag: name, what: 'is on the target only', examples: [] }];
    if (ours === undefined) return [{ flag: name, what: 'is missing on the target', examples: [] }];
    const contexts = contextsOf(theirs, source, index * perFlag, perFlag);
    decisions += contexts.length;
    const differing = contexts.flatMap((context, draw) => differingDecision(engines, name, context, draw));
    const told = toldOtherwise(theirs, ours);
    if (differing.length === 0 && told.length === 0) return [];
    const decided =
      differing.length > 0 ? [`is decided otherwise in ${differing.length} of ${contexts.length} cases`] : [];
    const what = [...decided, ...told.map((property) => `has another ${property}`)].join(', and ');
    return [{ flag: name, what, examples: differing.slice(0, examplesMax) }];
  });
  return { decisions, divergences };
}

function differingDecision(
  engines: Readonly<Record<'source' | 'target', SdkEngine>>,
  flag: string,
  context: SdkContext,
  draw: number,
): DivergentDecision[] {
  const luck = ((draw * 61) % 100) / 100;
  const source = withLuck(luck, () => engines.source.decide(flag, context));
  const target = withLuck(luck, () => engines.target.decide(flag, context));
  const isSame =
    source.enabled === target.enabled && source.variant === target.variant && source.payload === target.payload;
  return isSame ? [] : [{ context, source, target }];
}

/** The properties that SDKs hand on to applications, or report, and that differ. */
function toldOtherwise(theirs: ClientFlag, ours: ClientFlag): string[] {
  return (['project', 'type', 'stale', 'impressionData'] as const).filter((each) => theirs[each] !== ours[each]);
}
