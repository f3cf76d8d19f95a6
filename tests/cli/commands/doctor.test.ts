import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Emulators, startEmulators } from '../../../emulators/start.ts'
import type { Finding } from '../../../src/app/checks/finding.ts'
import { lookAtProxy, lookAtPublicAddress } from '../../../src/app/checks/public-address.ts'
import { SERVICE_CHECKS } from '../../../src/app/checks/service.ts'
import { PROXY_CHECK } from '../../../src/app/checks/trusted-proxy.ts'
import { CommandProcess, runCommand } from '../../support/command.ts'
import { Place, ServiceProcess } from '../../support/service-process.ts'

/** As that of the provider: it is not played on this machine. Nothing listens there. */
const REAL = 'https://127.0.0.1:1'

describe('the doctor of an installation beside both providers', () => {
  let place: Place
  let providers: Emulators
  let service: ServiceProcess
  let env: Record<string, string>

  beforeAll(async () => {
    place = await Place.prepared()
    providers = await startEmulators()
    env = { ...place.env, TELCO_BASE_URL: providers.telco.url, VOICEAI_BASE_URL: providers.voiceai.url }
    service = await ServiceProcess.start(env)
    const [id] = await service.call<number[]>(place.localKey, 'connect.settings', 'search')
    const { sid: accountSid, authToken } = providers.telco.account
    const vals = {
      api_url: 'https://pbx.invalid',
      voiceai_enabled: true,
      voiceai_api_key: providers.voiceai.workspace.apiKey,
      account_sid: accountSid,
      auth_token: authToken,
    }
    await service.call(place.localKey, 'connect.settings', 'write', { ids: [id], vals })
  })
  afterAll(async () => {
    await service.stop()
    await providers.stop()
    await place.remove()
  })

  it('tells what the providers do not hold, until SYNC', async () => {
    const before = await doctor(env)
    expect(before.code).toBe(3)
    expect(wrongOf(before, 'voiceai').join()).toMatch(/helpdesk_create_ticket: ElevenLabs does not have it/)
    expect(before.findings).toContainEqual(expect.objectContaining({ check: 'telco', fix: 'connect sync telco' }))
    expect((await runCommand(['sync', 'voiceai'], env)).code).toBe(0)
    expect(await new CommandProcess(['sync', 'telco'], env).ended()).toMatchObject({ code: 0, err: '' })
    const after = await doctor(env)
    const ok = (check: string) => expect.objectContaining({ check, result: 'ok' })
    const checks = [
      'service',
      'database',
      'queue',
      'queue age',
      'ids',
      'disk',
      'dead deliveries',
      'voiceai clock',
      'telco clock',
    ]
    expect(after.findings).toEqual(expect.arrayContaining([...checks, 'voiceai', 'telco'].map(ok)))
    expect(after.out).not.toContain(providers.telco.account.authToken)
  })

  it('asks the public address only where somebody else than this machine does', async () => {
    const of = ({ findings }: Examined) =>
      findings.filter(({ check, result }) => check === 'public address' || result === 'WRONG')
    expect(of(await doctor(env))).toEqual([
      {
        ...{ check: 'public address', result: 'note', fix: '' },
        finding: 'is not checked: Twilio and ElevenLabs are emulated on this machine',
      },
    ])
    // Nobody answers there.
    const asked = await doctor({ ...env, TELCO_BASE_URL: REAL })
    expect(wrongOf(asked, 'public address').join()).toMatch(/pbx\.invalid cannot be reached/)
    expect(wrongOf(asked, 'telephony signature').join()).toMatch(/gets no answer/)
  })

  it('says when calls are recorded and callers hear nothing of it', async () => {
    const ofRecordings = async (): Promise<Finding | undefined> =>
      (await doctor(env)).findings.find(({ check }) => check === 'recordings')
    expect(await ofRecordings()).toMatchObject({ result: 'ok' })
    const flow = { name: 'Recorded', record_calls: true }
    await service.call(place.localKey, 'connect.telco.callflow', 'create', { vals_list: flow })
    expect(await ofRecordings()).toMatchObject({ result: 'note', fix: expect.stringContaining('announce_recordings') })
    const [id] = await service.call<number[]>(place.localKey, 'connect.settings', 'search')
    await service.call(place.localKey, 'connect.settings', 'write', { ids: [id], vals: { announce_recordings: true } })
    expect(await ofRecordings()).toMatchObject({ result: 'ok' })
  })

  it('looks at the accounts themselves on demand, and only looks', async () => {
    const asked = { telco: providers.telco.requests.length, voiceai: providers.voiceai.requests.length }
    const { findings, out } = await doctor(env, ['--providers'])
    const result = (check: string) => findings.filter((each) => each.check === check).map((each) => each.result)
    expect(result('telco account')).toEqual(['ok'])
    expect(result('telco API key')).toEqual(['note'])
    expect(result('voiceai webhook')).toEqual(['ok'])
    expect(result('voiceai conversations')).toEqual(['note'])
    expect(out).not.toContain(providers.telco.account.authToken)
    expect(out).not.toContain(providers.voiceai.workspace.apiKey)
    const methods = [
      ...providers.telco.requests.slice(asked.telco).map(({ method }) => method),
      ...providers.voiceai.requests.slice(asked.voiceai).map(({ method }) => method),
    ]
    expect(new Set(methods)).toEqual(new Set(['GET']))
    const usual = await doctor(env)
    expect(usual.findings.some(({ check }) => check === 'telco account')).toBe(false)
  })

  it('sees a proxy that the service does not believe, however itself is started', async () => {
    const proxied = async (): Promise<Finding | undefined> =>
      (await doctor({ ...env, TELCO_BASE_URL: REAL, TRUST_PROXY: '1' })).findings.find(
        ({ check }) => check === 'trusted proxy',
      )
    expect(await proxied()).toMatchObject({ result: 'ok' })
    const [settings] = await service.call<{ voiceai_agent_token: string }[]>(
      place.localKey,
      'connect.settings',
      'search_read',
      { fields: ['voiceai_agent_token'] },
    )
    const headers = {
      'content-type': 'application/json',
      'x-forwarded-proto': 'https',
      'x-voiceai-agent-token': settings?.voiceai_agent_token ?? '',
    }
    const path = `${service.url}/connect_voiceai/get_current_date`
    expect((await fetch(path, { method: 'POST', headers, body: '{}' })).status).toBe(200)
    // Deliveries are logged a moment after the answer.
    await expect.poll(proxied, { timeout: 60_000 }).toMatchObject({ result: 'WRONG' })
  })

  it('sends what providers sign, and has it accepted', async () => {
    const [id] = await service.call<number[]>(place.localKey, 'connect.settings', 'search')
    await service.call(place.localKey, 'connect.settings', 'write', { ids: [id], vals: { api_url: service.url } })
    const { findings } = await doctor(env)
    for (const check of ['telephony signature', 'post-call signature', 'agent token']) {
      expect(findings).toContainEqual(expect.objectContaining({ check, result: 'ok' }))
    }
    expect(findings).toContainEqual(expect.objectContaining({ check: 'public address', result: 'WRONG' }))
  })
})

describe('the public address', () => {
  it.each([
    [null, /not set/],
    ['https://localhost', /only this machine or network/],
    ['https://192.168.1.4', /only this machine or network/],
    ['http://pbx.example.com', /is not https/],
    ['pbx.example.com', /not a web address/],
  ])('%s is wrong', async (address, sentence) => {
    const finding = await lookAtPublicAddress({ api_url: address }, true)
    expect(finding).toMatchObject({
      result: 'WRONG',
      finding: expect.stringMatching(sentence),
      fix: expect.any(String),
    })
  })
})

describe('the headers of the proxy in front', () => {
  const base = 'https://pbx.example.com'

  it.each([
    ['ok', 'pbx.example.com', { 'x-forwarded-proto': 'https' }, /asked as pbx\.example\.com$/],
    ['WRONG', '127.0.0.1:8080', { 'x-forwarded-proto': 'https' }, /asked as 127\.0\.0\.1:8080, not as/],
    ['WRONG', 'pbx.example.com', {}, /does not say that https was used/],
  ])('the headers of the proxy in front are %s for %s and %o', (result, host, headers, sentence) => {
    expect(lookAtProxy({ host, headers }, base)).toMatchObject({
      result,
      finding: expect.stringMatching(sentence),
    })
  })
})

describe('a proxy in front', () => {
  const forwarded = { 'x-forwarded-proto': 'https' }
  const look = (trusts: string, deliveries: (Record<string, string> | null)[], url = 'https://pbx.example.com') =>
    PROXY_CHECK.look({
      connection: { call: async <T>() => deliveries.map((headers) => ({ headers })) as T },
      settings: { api_url: url },
      metrics: trusts,
    })

  it('a proxy in front is found by the deliveries that came through it, while the service believes none', async () => {
    expect(await look('connect_trusts_proxy 0\n', [forwarded, {}, null])).toMatchObject({
      result: 'WRONG',
      finding: expect.stringMatching(/^1 of the last 3 webhooks came through a proxy, but TRUST_PROXY is not set/),
      fix: expect.stringContaining('TRUST_PROXY=127.0.0.1'),
    })
    expect(await look('connect_trusts_proxy 1\n', [forwarded])).toMatchObject({ result: 'ok' })
    expect(await look('connect_trusts_proxy 0\n', [{}, null])).toMatchObject({ result: 'ok' })
    expect(await look('', [forwarded])).toMatchObject({ result: 'note' })
  })

  it('a proxy in front is not looked for where no provider can call', async () => {
    expect(await look('connect_trusts_proxy 0\n', [forwarded], 'http://127.0.0.1:8080')).toEqual([])
  })
})

interface Examined {
  code: number | null
  out: string
  findings: Finding[]
}

async function doctor(env: Record<string, string>, options: readonly string[] = []): Promise<Examined> {
  const { code, out } = await runCommand(['--json', 'doctor', ...options], env)
  return { code, out, findings: JSON.parse(out) as Finding[] }
}

function wrongOf({ findings }: Examined, check: string): string[] {
  return findings.filter((each) => each.check === check && each.result === 'WRONG').map((each) => each.finding)
}

describe('ids that run out', () => {
  const look = async (metrics: string): Promise<unknown> =>
    SERVICE_CHECKS.find(({ check }) => check === 'ids')?.look({ address: '', ready: '', metrics })
  const reported = (used: string) => look(`connect_ids_used_ratio{sequence="others.narrow_id_seq"} ${used}\n`)

  it('ids that run out are told above four fifths, with the sequence', async () => {
    expect(await reported('0.8')).toMatchObject({ result: 'ok' })
    expect(await reported('0.81')).toMatchObject({
      result: 'WRONG',
      finding: 'others.narrow_id_seq has used 81 % of its ids',
      fix: expect.stringContaining('bigint'),
    })
    expect(await look('')).toMatchObject({ result: 'note' })
  })
})
