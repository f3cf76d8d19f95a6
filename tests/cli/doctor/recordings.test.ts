import { expect, test } from 'vitest'
import { describeRecordings } from '../../../src/cli/doctor/recordings.ts'

test.each([
  [{ users: 0, flows: 0, isAnnounced: false }, 'ok', /no phone user and no call flow records/],
  [{ users: 1, flows: 2, isAnnounced: true }, 'ok', /^1 phone user and 2 call flows record calls, and callers hear/],
  [
    { users: 3, flows: 0, isAnnounced: false },
    'note',
    /^3 phone users and 0 call flows .* without telling the callers$/,
  ],
] as const)('the doctor says whether callers hear that they are recorded (%o)', (counted, result, finding) => {
  const found = describeRecordings(counted)
  expect(found).toMatchObject({ result, check: 'recordings', finding: expect.stringMatching(finding) })
  expect(found.fix).toMatch(result === 'note' ? /settings set announce_recordings on/ : /^$/)
})
