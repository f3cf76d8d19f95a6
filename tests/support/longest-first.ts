import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What takes longest: pages in a browser, processes that are killed and started, and bodies of tens of megabytes. */
const LONG =
  /tests\/(?:web\/story|faults\/|cli\/|app\/page|conformance\/(?:start|access-matrix|post-call-audio)|database\/embedded\/upkeep)/

/** The longest files first, so that no worker is left alone with one at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}
