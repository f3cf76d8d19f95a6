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

it('a run counts a test that passed at the second attempt only, and names it', () => {
  const first = aFile('failed', ['one', 'passed'], ['two', 'failed'])
  const second = aFile('passed', ['one', 'passed'], ['two', 'passed'])
  expect(tallyOf([first], [second], 'PGlite')).toEqual({
    passed: 2,
    failed: 0,
    skipped: [],
    unsteady: ['PGlite: tests/a.test.ts > two'],
  })
})

it('a run fails by a test that fails at the second attempt as well', () => {
  const first = aFile('failed', ['one', 'passed'], ['two', 'failed'])
  expect(tallyOf([first], [first], 'PGlite')).toMatchObject({ passed: 1, failed: 1, unsteady: [] })
  expect(tallyOf([first], [], 'PGlite')).toMatchObject({ passed: 1, failed: 1, unsteady: [] })
})

it('a run counts a file that could not be loaded as failed, and what it holds once it could', () => {
  const first = aFile('failed')
  expect(tallyOf([first], [], 'PGlite')).toMatchObject({ passed: 0, failed: 1 })
  const second = aFile('passed', ['one', 'passed'], ['two', 'passed'])
  expect(tallyOf([first], [second], 'PGlite')).toMatchObject({
    passed: 2,
    failed: 0,
    unsteady: ['PGlite: tests/a.test.ts'],
  })
})
