import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hear, press, say } from '../../emulators/people.ts'
import { LANGUAGE } from '../../emulators/telco/markup/language.ts'
import { startTelcoEmulator, type TelcoEmulator } from '../../emulators/telco/start.ts'
import { FakeService, markup, PUBLIC_URL } from './fake-service.ts'

const NUMBER = '+14155550199'
const CALLER = '+14155550100'
let service: FakeService
let telco: TelcoEmulator

beforeAll(async () => {
  service = await FakeService.start()
  telco = await startTelcoEmulator({ service: service.address, numbers: [{ phoneNumber: NUMBER }] })
  const number = telco.account.numbers.findWhere('phone_number', NUMBER)
  if (number !== undefined) telco.account.numbers.change(number, { voice_url: `${PUBLIC_URL}/number` })
})
afterAll(async () => {
  await telco.stop()
  await service.stop()
})
beforeEach(() => {
  service.forget()
  telco.problems.clear()
})

async function call(verbs: string, acts: Parameters<TelcoEmulator['call']>[0]['acts'] = []): Promise<string[]> {
  service.answer('/number', markup(verbs))
  const { heard } = await telco.call({ from: CALLER, to: NUMBER, acts })
  return [...heard]
}

const codes = (): (number | undefined)[] => telco.problems.all.map(({ code }) => code)

describe('a prompt', () => {
  test.each([
    '<Say>Hello</Say>',
    '<Say language="en-GB" voice="woman">Hello</Say>',
    '<Say language="pl-PL">Hello</Say>',
    '<Say language="pl-PL" voice="Polly.Ewa">Hello</Say>',
    '<Say language="cmn-CN" voice="Google.cmn-CN-Standard-A">Hello</Say>',
  ])('%s is heard', async (verbs) => {
    expect(await call(verbs)).toEqual(['Hello'])
    expect(codes()).toEqual([])
  })

  test.each([
    ['<Say language="pl-PL" voice="woman">Hello</Say>', 13511],
    ['<Say language="de-DE" voice="Google.fr-FR-Standard-A">Hello</Say>', 13511],
  ])('%s is not heard: its voice does not speak the language', async (verbs, code) => {
    expect(await call(verbs)).toEqual([])
    expect(codes()).toEqual([code])
  })

  test('a prompt in a voice that does not exist is warned of, and heard in another', async () => {
    expect(await call('<Say voice="Woman">Hello</Say>')).toEqual(['Hello'])
    expect(codes()).toEqual([13511])
  })
})

describe('a gather', () => {
  const gather = (attributes: string) =>
    `<Gather action="${PUBLIC_URL}/g" ${attributes}><Say>Well?</Say></Gather><Say>Bye</Say>`

  test('a gather of speech in a language that it does not have fails before its prompt', async () => {
    expect(await call(gather('input="speech" language="zh-CN"'), [say('sales')])).toEqual(['Bye'])
    expect(codes()).toEqual(expect.arrayContaining([13331]))
    expect(service.at('/g')).toEqual([])
  })

  test('a gather of speech in a language that it has goes on with what was said', async () => {
    service.answer('/g', markup('<Hangup/>'))
    await call(gather('input="dtmf speech" language="cmn-Hans-CN"'), [hear('Well?'), say('sales')])
    expect(service.at('/g')[0]?.fields).toMatchObject({ SpeechResult: 'sales' })
    expect(codes()).toEqual([])
  })

  test('a gather of digits does not mind its language, but it is warned of', async () => {
    service.answer('/g', markup('<Hangup/>'))
    await call(gather('input="dtmf" numDigits="1" language="zh-CN"'), [press('1')])
    expect(service.at('/g')[0]?.fields).toMatchObject({ Digits: '1' })
    expect(codes()).toEqual([13331])
  })

  test.each([
    ['one of more than 100 characters', `sales, ${'x'.repeat(101)}`],
    ['more than 500', 'x,'.repeat(501)],
  ])('a gather is warned of hints: %s', async (_what, hints) => {
    await call(gather(`input="speech" hints="${hints}"`))
    expect(codes()).toEqual([13330])
  })
})

test.each([
  ['<Dial><Client clientNotificationUrl="/x">a</Client></Dial>', 'no attribute clientNotificationUrl'],
  ['<Dial callerID="+1">+14155550177</Dial>', 'no attribute callerID'],
  ['<say>Hello</say>', '<say> is no element'],
  ['<Number>+14155550177</Number>', '<Number> stands in <Response>'],
  ['<Pause length="long"/>', 'length="long"'],
  ['<Record playBeep="yes" timeout="1"/>', 'playBeep="yes"'],
  ['<Gather method="PUT" timeout="1"/>', 'method="PUT"'],
  ['Hello', '<Response> holds text'],
])('%s is warned of with 12200', async (verbs, message) => {
  await call(verbs)
  const warned = telco.problems.all.filter((problem) => problem.code === 12200)
  expect(warned.map((problem) => problem.message).join()).toContain(message)
})

test('the language that the emulator reads is that of the installed SDK', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'markup-'))
  const file = path.join(folder, 'language.json')
  const script = path.join(import.meta.dirname, '../../emulators/sources/markup-from-sdk.ts')
  try {
    execFileSync(process.execPath, [script, file])
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(LANGUAGE)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
