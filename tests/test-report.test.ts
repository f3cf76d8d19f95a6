// What the closing line of a run counts.
import { expect, it } from 'vitest'
import { type FileReport, tallyOf } from './support/test-report.ts'

const FILE = `${process.cwd()}/tests/a.test.ts`

function aFile(status: string, ...tests: [title: string, status: string][]): FileReport {
  return {
    name: FILE,
    status,
    assertionResults: tests.map(([title, status]) => ({ ancestorTitles: [], title, status })),
  }
}

it('a run counts passed, failed and skipped tests, and names the skipped ones', () => {
  const file = aFile('failed', ['one', 'passed'], ['two', 'failed'], ['three', 'skipped'])
  expect(tallyOf([file, aFile('passed', ['four', 'passed'])], 'PGlite')).toEqual({
    passed: 2,
    failed: 1,
    skipped: ['PGlite: tests/a.test.ts > three (no reason given)'],
  })
})

it('a run counts a file that could not be loaded as failed', () => {
  expect(tallyOf([aFile('failed')], 'PGlite')).toMatchObject({ passed: 0, failed: 1 })
})
