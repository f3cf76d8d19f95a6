import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Settings } from '../../../src/platform/settings/settings.ts'
import { TelcoMedia } from '../../../src/telco/client/media.ts'
import { AUDIO, FakeTelco } from '../../support/fake-telco.ts'
import { ACCOUNT_SID, AUTH_TOKEN } from '../../support/telco.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const settings = { get: async () => ({ accountSid: ACCOUNT_SID, authToken: AUTH_TOKEN }) } as unknown as Settings
let fake: FakeTelco
let media: TelcoMedia

beforeAll(async () => {
  fake = await FakeTelco.start()
  media = new TelcoMedia(settings, fake.url)
})
afterAll(() => fake.stop())
beforeEach(() => fake.reset())

it('audio that is read a moment later is all there, whatever was collected meanwhile', async () => {
  const { body } = await media.open(fake.recordingUrl('RE1'))
  for (let turn = 0; turn < 5; turn += 1) {
    collectGarbage()
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(Buffer.from(await new Response(body).arrayBuffer())).toEqual(AUDIO)
})

it('tells no length of audio that comes compressed, for what is read is longer', async () => {
  const headers = { 'content-type': 'audio/mpeg', 'content-encoding': 'identity', 'content-length': '4' }
  fake.on('GET', /\.mp3$/, { headers, body: 'ID3.' })
  expect((await media.open(fake.recordingUrl('RE1'))).contentLength).toBeUndefined()
})
