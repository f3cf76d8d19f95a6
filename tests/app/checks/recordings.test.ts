import { expect, test } from 'vitest'
import { RECORD_CHECKS } from '../../../src/app/checks/records.ts'

test.each([
  [{ users: 0, flows: 0, isAnnounced: false }, 'ok', /no phone user and no call flow records/],
  [
    { users: 1, flows: 2, isAnnounced: true },
    'ok',
    /^calls are recorded \(phone users: 1, call flows: 2\), and callers are told/,
  ],
  [
    { users: 3, flows: 0, isAnnounced: false },
    'note',
    /^calls are recorded \(phone users: 3, call flows: 0\) without telling the callers$/,
  ],
] as const)('the doctor says whether callers hear that they are recorded (%o)', async (there, result, finding) => {
  const counts: Record<string, number> = { 'connect.user': there.users, 'connect.telco.callflow': there.flows }
  const connection = { call: async <Result>(model: string) => counts[model] as Result }
  const settings = { announce_recordings: there.isAnnounced }
  const found = await RECORD_CHECKS.find(({ check }) => check === 'recordings')?.look({ connection, settings })
  expect(found).toMatchObject({
    result,
    finding: expect.stringMatching(finding),
    fix: expect.stringMatching(result === 'note' ? /settings set announce_recordings on/ : /^$/),
  })
})
