import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest: they start processes, build all bundles, or synthesize the stack. */
const long = /\/test\/(infra\/(local|commands|bundle)|contract)\b/;

/** Begins with the files that take longest, so that no worker is alone with one of them in the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => Number(long.test(b.moduleId)) - Number(long.test(a.moduleId)));
  }
}
