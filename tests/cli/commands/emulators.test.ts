import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CommandProcess } from '../../support/command.ts'
import { Place } from '../../support/service-process.ts'

interface Printed {
  environment: Record<string, string>
  accountSid: string
  authToken: string
  apiKey: string
}

interface Listed {
  incoming_phone_numbers: { sid: string }[]
}

const ENDS_WITHIN_MS = 20_000
const NUMBER = '+35315550110'
let place: Place

beforeAll(async () => {
  place = await Place.empty()
})
afterAll(() => place.remove())

/** The numbers of the account, as the provider's own client reads them; and what the command says. */
async function started(work: (printed: Printed) => Promise<void>, env = {}): Promise<Printed> {
  const command = new CommandProcess(
    ['--json', 'emulators', '--telco-port', '0', '--voiceai-port', '0', '--number', NUMBER],
    { ...place.env, ...env },
  )
  const printed = JSON.parse(await command.printed(/\n}\s*$/)) as Printed
  await work(printed)
  const stoppedMs = performance.now()
  command.child.kill('SIGINT')
  expect(await command.ended()).toMatchObject({ code: 0, err: '' })
  // A call has its price after half a minute: nobody waits for that.
  expect(performance.now() - stoppedMs).toBeLessThan(ENDS_WITHIN_MS)
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

test('a call to a number of the emulators is asked of the service on this machine, by its public address', async () => {
  const heard = Promise.withResolvers<string>()
  const service = createServer((request, response) => {
    heard.resolve(`${request.method} https://${request.headers.host}${request.url}`)
    response.setHeader('content-type', 'text/xml').end('<Response><Hangup/></Response>')
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  const { port } = service.address() as AddressInfo
  const url = 'https://connect.example.com/telco/webhook/number'
  await started(
    async ({ environment, accountSid, authToken }) => {
      const numbers = `${environment.TELCO_BASE_URL}/2010-04-01/Accounts/${accountSid}/IncomingPhoneNumbers`
      const headers = { authorization: `Basic ${btoa(`${accountSid}:${authToken}`)}` }
      const listed = (await (await fetch(`${numbers}.json`, { headers })).json()) as Listed
      const sid = listed.incoming_phone_numbers[0]?.sid
      await fetch(`${numbers}/${sid}.json`, { method: 'POST', headers, body: new URLSearchParams({ VoiceUrl: url }) })
      const call = JSON.stringify({ from: '+14155550199', to: NUMBER })
      await fetch(`${environment.TELCO_BASE_URL}/emulator/calls`, { method: 'POST', body: call })
      expect(await heard.promise).toBe(`POST ${url}`)
    },
    { PORT: String(port) },
  )
  service.closeAllConnections()
  service.close()
})
