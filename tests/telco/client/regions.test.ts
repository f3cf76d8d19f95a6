import { afterEach, expect, test, vi } from 'vitest'
import { createLog } from '../../../src/log.ts'
import type { Settings, SettingsSnapshot } from '../../../src/platform/settings/settings.ts'
import { incomingNumbersOf } from '../../../src/telco/client/incoming-numbers.ts'
import { TelcoSdk } from '../../../src/telco/client/sdk.ts'
import { Transport } from '../../../src/telco/client/transport.ts'

const settings = { accountSid: 'AC1', authToken: 'token', telcoRegion: 'ie1', telcoEdge: 'dublin' }
const known = { get: async () => settings as SettingsSnapshot } as unknown as Settings
const numbers = incomingNumbersOf(new TelcoSdk(known, new Transport(undefined, createLog('silent'))))

function answerWith(...replies: readonly [status: number, body: unknown][]): string[] {
  const asked: string[] = []
  const left = [...replies]
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (address, init) => {
    asked.push(`${init?.method} ${String(address)}`)
    const [status = 500, body] = left.shift() ?? []
    return Response.json(body, { status })
  })
  return asked
}

afterEach(() => vi.restoreAllMocks())

test('records of a region are asked there, the region of a number above all regions', async () => {
  const asked = answerWith(
    [200, { incoming_phone_numbers: [], next_page_uri: null }],
    [200, { voice_region: 'ie1' }],
    [200, { voice_region: 'au1' }],
  )
  await numbers.list()
  expect(await numbers.findRegion('+3531234567')).toBe('ie1')
  await numbers.setRegion('+3531234567', 'au1')
  expect(asked).toEqual([
    expect.stringMatching(/^GET https:\/\/api\.dublin\.ie1\.twilio\.com\//),
    'GET https://routes.twilio.com/v2/PhoneNumbers/+3531234567',
    'POST https://routes.twilio.com/v2/PhoneNumbers/+3531234567',
  ])
})

test('a number that was never moved has no region, and any other refusal stays one', async () => {
  answerWith([404, { code: 20404, message: 'not found' }], [400, { code: 20001, message: 'bad' }])
  expect(await numbers.findRegion('+3531234567')).toBeUndefined()
  await expect(numbers.findRegion('+3531234567')).rejects.toThrow('20001')
})
