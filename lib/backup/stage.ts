/** A long stage of a backup or a restore, from which others see how far it has come. */
export interface Watched extends Disposable {
  advance(amount?: number): void;
}

/**
 * Begins a stage.
 * @param what such as "Items read".
 * @param total how much there is to do, where that is known.
 */
export type StartStage = (what: string, total?: number) => Watched;
