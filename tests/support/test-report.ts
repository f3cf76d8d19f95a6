// What vitest's JSON reports say, counted.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

export interface Tally {
  passed: number
  failed: number
  skipped: string[]
  /** Tests that failed and then passed when their file was run again, alone: counted as passed, and named. */
  unsteady: string[]
}

interface TestReport {
  ancestorTitles: string[]
  title: string
  status: string
  meta?: { skipReason?: string }
}

export interface FileReport {
  name: string
  status: string
  assertionResults: TestReport[]
}

const root = path.resolve(import.meta.dirname, '../..')

export const NOTHING: Tally = { passed: 0, failed: 0, skipped: [], unsteady: [] }
export const FAILED: Tally = { ...NOTHING, failed: 1 }

/** The files of a report, none if there is no report. */
export function readReport(report: string): FileReport[] {
  if (!existsSync(report)) return []
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as { testResults: FileReport[] }
  return testResults
}

/** Counts a suite's files; what a second run of some of them says takes the place of what the first said. */
export function tallyOf(first: readonly FileReport[], again: readonly FileReport[], database: string): Tally {
  const second = new Map(again.map((file) => [file.name, file]))
  return addTallies(
    first.map((file) => {
      const tally = tallyOfFile(second.get(file.name) ?? file, database)
      const isUnsteady = hasFailed(file) && tally.failed === 0
      return isUnsteady ? { ...tally, unsteady: failuresOf(file, database) } : tally
    }),
  )
}

export function hasFailed({ status, assertionResults }: FileReport): boolean {
  return status === 'failed' || assertionResults.some((test) => test.status === 'failed')
}

export function addTallies(tallies: readonly Tally[]): Tally {
  return {
    passed: tallies.reduce((total, { passed }) => total + passed, 0),
    failed: tallies.reduce((total, { failed }) => total + failed, 0),
    skipped: tallies.flatMap(({ skipped }) => skipped),
    unsteady: tallies.flatMap(({ unsteady }) => unsteady),
  }
}

function tallyOfFile({ name, status, assertionResults }: FileReport, database: string): Tally {
  const isSkipped = (test: TestReport) => test.status === 'skipped' || test.status === 'todo'
  const passed = assertionResults.filter((test) => test.status === 'passed').length
  const skipped = assertionResults.filter(isSkipped).map((test) => {
    const reason = test.meta?.skipReason ?? (test.status === 'todo' ? 'still to be written' : 'no reason given')
    return `${nameOf(test, name, database)} (${reason})`
  })
  // A file that could not be loaded, or whose worker died, has failed without a failed test.
  const failed = Math.max(assertionResults.length - passed - skipped.length, status === 'failed' ? 1 : 0)
  return { ...NOTHING, passed, failed, skipped }
}

function failuresOf({ name, assertionResults }: FileReport, database: string): string[] {
  const failed = assertionResults.filter((test) => test.status === 'failed')
  if (failed.length === 0) return [`${database}: ${path.relative(root, name)}`]
  return failed.map((test) => nameOf(test, name, database))
}

function nameOf(test: TestReport, file: string, database: string): string {
  return `${database}: ${[path.relative(root, file), ...test.ancestorTitles, test.title].join(' > ')}`
}
