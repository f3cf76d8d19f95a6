import { expect, it } from 'vitest'
import { readRetryAfter } from '../../../src/retry-after.ts'
import { type FailedTry, retryDelayMs } from '../../../src/telco/client/retry.ts'

const now = new Date('2026-01-01T00:00:00Z')
const first = { tries: 1, now, random: () => 0 }

function answered(status: number, retryAfter: string | null = null): FailedTry {
  return { kind: 'answered', status, retryAfter }
}

it.each<[string, FailedTry, { read: number | undefined; act: number | undefined }]>([
  ['a request that was never sent', { kind: 'not-sent' }, { read: 250, act: 250 }],
  ['a lost connection', { kind: 'lost' }, { read: 250, act: undefined }],
  ['one request too many', answered(429), { read: 250, act: 250 }],
  ['an error of the provider', answered(503), { read: 250, act: undefined }],
  ['a refusal', answered(400), { read: undefined, act: undefined }],
  ['a wait that is asked for', answered(429, '2'), { read: 2_000, act: 2_000 }],
  ['a longer wait than a caller can be kept', answered(429, '60'), { read: undefined, act: undefined }],
])('%s', (_what, failure, { read, act }) => {
  expect(retryDelayMs(failure, { ...first, isRead: true })).toBe(read)
  expect(retryDelayMs(failure, { ...first, isRead: false })).toBe(act)
})

it('waits longer each time, and gives up after the third', () => {
  const delays = [1, 2, 3].map((tries) => retryDelayMs({ kind: 'not-sent' }, { ...first, tries, isRead: true }))
  expect(delays).toEqual([250, 500, undefined])
})

it.each([
  ['5', 5_000],
  ['Thu, 01 Jan 2026 00:00:03 GMT', 3_000],
  ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ['soon', undefined],
  ['', undefined],
  [null, undefined],
])('reads Retry-After %j', (header, ms) => {
  expect(readRetryAfter(header, now)).toBe(ms)
})
