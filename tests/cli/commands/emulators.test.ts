import { afterAll, beforeAll, expect, test } from 'vitest'
import { CommandProcess } from '../../support/command.ts'
import { Place } from '../../support/service-process.ts'

interface Printed {
  environment: Record<string, string>
  accountSid: string
  authToken: string
  apiKey: string
}

const NUMBER = '+35315550110'
let place: Place

beforeAll(async () => {
  place = await Place.empty()
})
afterAll(() => place.remove())

/** The numbers of the account, as the provider's own client reads them; and what the command says. */
async function started(work: (printed: Printed) => Promise<void>): Promise<Printed> {
  const command = new CommandProcess(
    ['--json', 'emulators', '--telco-port', '0', '--voiceai-port', '0', '--number', NUMBER],
    place.env,
  )
  const printed = JSON.parse(await command.printed(/\n}\s*$/)) as Printed
  await work(printed)
  command.child.kill('SIGINT')
  expect(await command.ended()).toMatchObject({ code: 0, err: '' })
  return printed
}

test('the emulators of both providers run alone, say what to enter, and go on with what they hold', async () => {
  const first = await started(async ({ environment, accountSid, authToken, apiKey }) => {
    expect(environment).toMatchObject({ API_URL: 'https://connect.example.com' })
    const numbers = await fetch(
      `${environment.TELCO_BASE_URL}/2010-04-01/Accounts/${accountSid}/IncomingPhoneNumbers.json`,
      { headers: { authorization: `Basic ${btoa(`${accountSid}:${authToken}`)}` } },
    )
    expect(await numbers.json()).toMatchObject({ incoming_phone_numbers: [{ phone_number: NUMBER }] })
    const agents = await fetch(`${environment.VOICEAI_BASE_URL}/v1/convai/agents`, {
      headers: { 'xi-api-key': apiKey },
    })
    expect(agents.status).toBe(200)
  })
  const second = await started(async () => {})
  expect({ ...second, environment: {} }).toEqual({ ...first, environment: {} })
})
