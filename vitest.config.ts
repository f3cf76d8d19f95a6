import { defineConfig } from 'vitest/config'
import type { Reporter } from 'vitest/node'
import { CHILD_FLAGS } from './tests/support/child-node.ts'
import { LongestFirst } from './tests/support/longest-first.ts'
import { testsOfAServer, testsOfEmbedded, testsWithoutDatabase } from './tests/support/which-tests.ts'

declare module 'vitest' {
  interface TaskMeta {
    skipReason?: string
  }
}

// The JSON report has no place for the reason of a skip, but it does keep each test's meta.
const keepSkipReasons: Reporter = {
  onTestCaseResult(test) {
    const result = test.result()
    if (result.state === 'skipped' && result.note) test.meta().skipReason = result.note
  },
}

/** By what a suite is to run only: tests that need a database, and where both kinds are there, those of one or of the other. */
const LEFT_OUT: Record<string, () => string[]> = {
  'of-a-database': testsWithoutDatabase,
  'beside-a-server': testsOfAServer,
  'beside-embedded': testsOfEmbedded,
}

// Set by tests/run.ts; a bare `vitest` runs on the embedded database and reports to the terminal only.
process.env.TEST_DATABASE ??= 'embedded'
const report = process.env.TEST_REPORT

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    // A test runs once where it says the same on both kinds of database; tests/run.ts looks that no suite is empty.
    exclude: LEFT_OUT[process.env.TEST_ONLY ?? '']?.() ?? [],
    passWithNoTests: process.env.TEST_ONLY !== undefined,
    globalSetup: ['tests/support/global-setup.ts'],
    reporters: report ? ['default', keepSkipReasons, ['json', { outputFile: report }]] : ['default'],
    // Workers are shared by test files, which halves the time; what a file changes in globals must not leak.
    pool: 'forks',
    isolate: false,
    // With a server, tests wait more than they work: the third and the fourth keep two processors busy.
    maxWorkers: process.env.TEST_DATABASE === 'embedded' ? 2 : 4,
    sequence: { sequencer: LongestFirst },
    // Much is made and dropped at once; with room for it, less of it is looked at by the garbage collector. The engines that
    // tests start take over the second flag.
    execArgv: ['--max-semi-space-size=32', ...CHILD_FLAGS],
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    // Far above what any test takes: a loaded machine must not turn into a failure.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000, interval: 20 } },
  },
})
