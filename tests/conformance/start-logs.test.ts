// What a running service writes to its terminal and log, at the most talkative level, has no secret in it.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startEmulators } from '../../emulators/start.ts'
import { adoptSecret, aTranscript, sign } from '../fixtures/post-call.ts'
import { Place, ServiceProcess } from '../support/service-process.ts'

const TEST_TIMEOUT_MS = 120_000
const PASSWORD = 'zz-correct-horse-battery-zz'
const SECRETS = {
  voiceai_api_key: 'zz-voiceai-key-zz',
  voiceai_agent_token: 'zz-agent-token-zz',
  auth_token: 'zz-auth-token-zz',
  telco_api_secret: 'zz-telco-secret-zz',
}

let place: Place

beforeAll(async () => {
  place = await Place.prepared()
})
afterAll(() => place.remove())

describe('the log', { timeout: TEST_TIMEOUT_MS }, () => {
  it('the log has none of what was sent to be kept secret, whether it was right or wrong', async () => {
    const service = await ServiceProcess.start({ ...place.env, LOG_LEVEL: 'trace' })
    const key = place.localKey
    const [id] = await service.call<number[]>(key, 'connect.settings', 'search')
    await service.call(key, 'connect.settings', 'write', { ids: [id], vals: SECRETS })
    const user = await service.call<number>(key, 'res.users', 'create', { vals_list: { login: 'anna', name: 'Anna' } })
    await service.call(key, 'res.users', 'write', { ids: [user], vals: { password: PASSWORD } })
    const made = await service.call<{ key: string }>(key, 'res.users', 'api_key_create', { ids: [user], name: 'x' })

    const send = async (address: string, body: unknown, headers: Record<string, string> = {}) => {
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      const all = { 'content-type': 'application/json', ...headers }
      const reply = await fetch(service.url + address, { method: 'POST', headers: all, body: text })
      return { status: reply.status, cookie: reply.headers.getSetCookie()[0]?.split(/[=;]/)[1] ?? '' }
    }
    const { cookie } = await send('/api/sign-in', { login: 'anna', password: PASSWORD })
    await send('/api/sign-in', { login: 'anna', password: `${PASSWORD}x` })
    await send(
      '/json/2/res.users/write',
      { ids: [user], vals: { password: `${PASSWORD}\0` } },
      { authorization: `bearer ${key}` },
    )
    for (const token of [SECRETS.voiceai_agent_token, `${SECRETS.voiceai_agent_token}x`]) {
      await send('/connect_voiceai/get_current_date', {}, { 'x-voiceai-agent-token': token })
      await send('/connect_voiceai_helpdesk/fetch_ticket', '{broken', { 'x-voiceai-agent-token': token })
      await send('/connect_voiceai/conversation_initiation', { caller_id: '+1' }, { 'x-voiceai-agent-token': token })
    }
    const body = JSON.stringify(aTranscript())
    const secret = await adoptSecret((...asked) => service.call(key, ...asked))
    expect(
      (await send('/connect_voiceai/post_call', body, { 'voiceai-signature': sign(body, { secret }) })).status,
    ).toBe(200)
    await send('/connect_voiceai/post_call', body, { 'voiceai-signature': sign(body, { secret: 'another one' }) })
    await send('/telco/webhook/callstatus', 'CallSid=CA1', { 'content-type': 'application/x-www-form-urlencoded' })
    await send('/json/2/connect.settings/search', {}, { authorization: 'bearer zz-made-up-key-zz' })
    expect(await service.stop()).toBe(0)

    const said = service.out + service.err
    expect(said).toMatch(/"msg"/)
    expect(said).not.toMatch(/zz-[a-z-]+-zz/)
    const files = ['local-admin.key'].map((name) => readFileSync(path.join(place.dataDir, name), 'utf8').trim())
    for (const hidden of [...files, made.key, cookie]) {
      expect(hidden.length).toBeGreaterThan(20)
      expect(said).not.toContain(hidden)
    }
  })

  it('a key of a provider that somebody mistyped is warned of in a sentence, without a stack and without the key', async () => {
    const { telco, voiceai } = await startEmulators()
    const providers = { TELCO_BASE_URL: telco.url, VOICEAI_BASE_URL: voiceai.url }
    const service = await ServiceProcess.start({ ...place.env, ...providers, LOG_LEVEL: 'info' })
    const key = place.localKey
    const ask = (model: string, method: string, args: object = {}) => service.call<unknown>(key, model, method, args)
    const [id] = await service.call<number[]>(key, 'connect.settings', 'search')
    const mistyped = { account_sid: telco.account.sid, auth_token: 'zz-mistyped-token-zz', voiceai_enabled: true }
    for (const apiKey of ['zz-mistyped-key-zz', 'zz-k€y-of-a-letter-zz']) {
      await ask('connect.settings', 'write', { ids: [id], vals: { ...mistyped, voiceai_api_key: apiKey } })
      await expect(ask('connect.settings', 'telco_balance')).rejects.toThrow('Twilio refused the credentials')
      for (const sync of ['telco_sync', 'voiceai_sync']) await ask('connect.settings', sync)
      const ended = ['state', 'in', ['queued', 'running']]
      await expect.poll(() => ask('connect.sync_run', 'search_count', { domain: [ended] }), { timeout: 60_000 }).toBe(0)
    }
    expect(await service.stop()).toBe(0)
    await Promise.all([telco.stop(), voiceai.stop()])
    const lines = service.err.split('\n').filter((line) => line.startsWith('{'))
    const of = lines.filter((line) => /credentials|API key/.test(line))
    expect(of.length).toBeGreaterThan(3)
    expect(of.filter((line) => line.includes('"stack"'))).toEqual([])
    expect(lines.filter((line) => (JSON.parse(line) as { level: number }).level >= 50)).toEqual([])
    expect(service.out + service.err).not.toMatch(/zz-[^"\s]+-zz/)
  })

  it('the log has of an error what went wrong, and not the values of a query', () => {
    const log = fileURLToPath(new URL('../../src/log.ts', import.meta.url))
    const script = `
      import { createLog } from ${JSON.stringify(log)}
      const cause = Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (x)=(hidden) exists', params: ['hidden'] })
      const err = Object.assign(new Error('not stored', { cause }), { query: 'insert hidden', parameters: ['hidden'] })
      createLog('error').error({ err, headers: { authorization: 'hidden', 'x-voiceai-agent-token': 'hidden' } }, 'failed')`
    const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' })
    const line = JSON.parse(stderr) as { err: object }
    expect(line.err).toMatchObject({ message: 'not stored', cause: { message: 'duplicate key', code: '23505' } })
    expect(stderr).not.toContain('hidden"')
    expect(stderr).not.toContain('(hidden)')
  })
})
