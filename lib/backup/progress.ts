/** The progress of a long stage of a backup or a restore. */
interface StageProgress extends Disposable {
  advance(amount?: number): void;
}

/**
 * Begins to report the progress of a stage.
 * @param what such as "Items read".
 * @param total how much there is to do, where it is known.
 */
export type StartProgress = (what: string, total?: number) => StageProgress;
