/** Flags and segments as an SDK gets them, and a context for which they are evaluated. */
export interface EvaluationState {
  readonly features: readonly StateFeature[];
  readonly segments?: readonly StateSegment[];
}

export interface StateFeature {
  readonly name: string;
  readonly enabled: boolean;
  readonly description?: string;
  readonly strategies?: readonly StateStrategy[];
  readonly variants?: readonly { readonly name?: string; readonly weight?: number }[];
  readonly dependencies?: readonly {
    readonly feature: string;
    readonly enabled?: boolean;
    readonly variants?: readonly string[];
  }[];
}

export interface StateStrategy {
  readonly name: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly constraints?: readonly object[];
  readonly segments?: readonly number[];
  readonly variants?: readonly { readonly name?: string; readonly weight?: number }[];
}

export interface StateSegment {
  readonly id: number;
  readonly name?: string;
  readonly constraints: readonly object[];
}

export type Context = Readonly<Record<string, unknown>>;

/** Outcome of evaluating a flag for a context. */
export interface Outcome {
  readonly enabled: boolean;
  readonly variant: { readonly name: string; readonly enabled: boolean; readonly payload?: unknown };
}

export const off: Outcome = { enabled: false, variant: { name: 'disabled', enabled: false } };
