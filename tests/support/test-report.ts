// What vitest's JSON reports say, counted.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

export interface Tally {
  passed: number
  failed: number
  skipped: string[]
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

export const NOTHING: Tally = { passed: 0, failed: 0, skipped: [] }
export const FAILED: Tally = { ...NOTHING, failed: 1 }

/** The files of a report, none if there is no report. */
export function readReport(report: string): FileReport[] {
  if (!existsSync(report)) return []
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as { testResults: FileReport[] }
  return testResults
}

/** Counts the tests of a suite's files; `database` stands before the names of skipped ones. */
export function tallyOf(files: readonly FileReport[], database: string): Tally {
  return addTallies(files.map((file) => tallyOfFile(file, database)))
}

export function addTallies(tallies: readonly Tally[]): Tally {
  return {
    passed: tallies.reduce((total, { passed }) => total + passed, 0),
    failed: tallies.reduce((total, { failed }) => total + failed, 0),
    skipped: tallies.flatMap(({ skipped }) => skipped),
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

function nameOf(test: TestReport, file: string, database: string): string {
  return `${database}: ${[path.relative(root, file), ...test.ancestorTitles, test.title].join(' > ')}`
}
