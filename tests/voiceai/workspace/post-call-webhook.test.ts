import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { SyncApp } from '../sync/sync-app.ts'

let at: SyncApp

beforeAll(async () => {
  at = await SyncApp.start()
  await at.setUp()
  expect((await at.run()).state).toBe('done')
})
beforeEach(() => at.fake.calm())
afterAll(() => at.stop())

async function secrets(): Promise<string[]> {
  at.app.app.platform.settings.forget()
  return (await at.app.app.platform.settings.get()).postCallSecrets
}

function secretOf(webhookId: string): string {
  return String(at.fake.webhooks.get(webhookId)?.webhook_secret)
}

/** Status of a delivery signed with the secret. */
async function deliver(secret: string): Promise<number> {
  const body = JSON.stringify({ type: 'something_new', data: {} })
  const seconds = Math.floor(Date.now() / 1_000)
  const digest = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  const headers = { 'voiceai-signature': `t=${seconds},v0=${digest}` }
  return (await at.app.post('/connect_voiceai/post_call', body, headers)).status
}

test('deliveries signed with the secret that SYNC stored are accepted', async () => {
  expect(await deliver(secretOf('webhook_1'))).toBe(200)
  expect(await deliver('another secret')).toBe(401)
})

test('another public address rotates the secret: new one stored, repointed, old webhook deleted, old secret dropped', async () => {
  const old = secretOf('webhook_1')
  await at.settings({ api_url: 'https://other.example.com/base/' })
  const accepted: number[] = []
  const tryOld = async (): Promise<void> => {
    accepted.push(await deliver(old))
  }
  at.fake.fail({ method: 'PATCH', path: /convai\/settings/, times: 2, before: tryOld })
  at.fake.fail({ method: 'DELETE', path: /webhooks/, times: 1, before: tryOld })
  const run = await at.run()
  expect(run).toMatchObject({ state: 'done', counts: { 'post-call webhook': { created: 1 } } })
  expect(at.fake.requests().slice(0, 5)).toEqual([
    'PATCH /v1/convai/settings',
    'POST /v1/workspace/webhooks',
    expect.stringMatching(/^PATCH \/v1\/workspace\/webhooks\//),
    'PATCH /v1/convai/settings',
    'DELETE /v1/workspace/webhooks/webhook_1',
  ])
  // Whatever was on its way while the secret was changed was still accepted.
  expect(accepted).toEqual([200, 200, 200])
  const [[id, webhook] = ['', {}]] = [...at.fake.webhooks]
  expect(webhook).toMatchObject({ webhook_url: 'https://other.example.com/base/connect_voiceai/post_call' })
  expect(at.fake.settings.webhooks).toMatchObject({ post_call_webhook_id: id })
  expect(await secrets()).toEqual([secretOf(id)])
  expect(await deliver(old)).toBe(401)
  expect(await deliver(secretOf(id))).toBe(200)
})

test('an address with a path keeps it in every tool', () => {
  expect(at.fake.toolNamed('create_partner')?.config).toMatchObject({
    api_schema: { url: 'https://other.example.com/base/connect_voiceai/create_partner' },
  })
})

test('until the old webhook is deleted both secrets count; the next SYNC clears up', async () => {
  const [before = ''] = at.fake.webhooks.keys()
  const old = secretOf(before)
  await at.settings({ api_url: 'https://pbx.example.com' })
  at.fake.fail({ method: 'DELETE', path: /webhooks/, status: 500 })
  const run = await at.run()
  expect(run).toMatchObject({ state: 'failed', errors: [{ step: 'post-call webhook' }] })
  expect(at.fake.webhooks.size).toBe(2)
  expect(await secrets()).toHaveLength(2)
  expect(await deliver(old)).toBe(200)
  at.fake.calm()
  expect(await at.run()).toMatchObject({ state: 'done' })
  expect(at.fake.webhooks.size).toBe(1)
  expect(await deliver(old)).toBe(401)
  expect(await secrets()).toHaveLength(1)
})

test('a webhook that the platform has disabled is replaced', async () => {
  const [before = ''] = at.fake.webhooks.keys()
  at.fake.webhooks.set(before, { ...at.fake.webhooks.get(before), is_auto_disabled: true })
  expect(await at.run()).toMatchObject({ state: 'done', counts: { 'post-call webhook': { created: 1 } } })
  expect([...at.fake.webhooks.keys()]).not.toContain(before)
})

test('when the platform makes a webhook without a secret, the old one stays in force', async () => {
  const [before = ''] = at.fake.webhooks.keys()
  await at.settings({ api_url: 'https://third.example.com' })
  at.fake.fail({ method: 'POST', path: /webhooks/, body: { webhook_id: 'webhook_without' }, times: 1 })
  const run = await at.run()
  expect(run.errors).toMatchObject([
    { step: 'post-call webhook', message: expect.stringMatching(/without telling its secret/) },
  ])
  expect(await secrets()).toEqual([secretOf(before)])
  await at.settings({ api_url: 'https://pbx.example.com' })
})

async function warning(): Promise<unknown> {
  const [row] = await at.app.admin.ask<Record<string, unknown>[]>('connect.settings', 'search_read', {
    fields: ['voiceai_post_call_warning'],
  })
  return row?.voiceai_post_call_warning
}

test('a webhook that the platform has disabled shows in the settings, and a button enables it again', async () => {
  expect(await at.run()).toMatchObject({ state: 'done' })
  const [id = ''] = at.fake.webhooks.keys()
  expect(await warning()).toBeNull()
  const disabled = { is_auto_disabled: true, most_recent_failure_error_code: 502 }
  at.fake.webhooks.set(id, { ...at.fake.webhooks.get(id), ...disabled })
  const check = await at.run('voiceai_check')
  const sentence =
    'ElevenLabs has disabled it (the last failed webhook was answered with status 502). ' +
    'Fix what failed, then press "Turn on the post-call webhook".'
  expect(check.differences).toEqual([expect.objectContaining({ what: 'post-call webhook', message: sentence })])
  expect(await warning()).toBe(`Conversations are not delivered. ${sentence}`)
  expect(await at.run('voiceai_enable_webhook')).toMatchObject({
    state: 'done',
    counts: { 'post-call webhook': { enabled: 1 } },
  })
  expect([...at.fake.webhooks]).toMatchObject([[id, { is_disabled: false, is_auto_disabled: false }]])
  expect(await warning()).toBeNull()
  expect(await deliver(secretOf(id))).toBe(200)
})

test('calls that never came about are delivered too, and audio as soon as a person wants it', async () => {
  const events = (): unknown => (at.fake.settings.webhooks as { events?: unknown }).events
  expect(events()).toEqual(['transcript', 'call_initiation_failure'])
  await at.settings({ voiceai_send_audio: true })
  await at.settled()
  expect(events()).toEqual(['transcript', 'call_initiation_failure', 'audio'])
  expect(at.fake.settings.webhooks).not.toHaveProperty('send_audio')
  await at.settings({ voiceai_send_audio: false })
  await at.settled()
  expect(events()).toEqual(['transcript', 'call_initiation_failure'])
})

/** Signs with a secret that the platform alone knows, as when somebody has made another one there. */
async function changeSecretThere(): Promise<{ id: string; there: string }> {
  const [[id, webhook] = ['', {}]] = [...at.fake.webhooks]
  const there = `secret of ${id} that nobody was told`
  const status = await deliver(there)
  expect(status).toBe(401)
  at.fake.webhooks.set(id, { ...webhook, webhook_secret: there, most_recent_failure_error_code: status })
  await at.app.app.deliveries.drained()
  return { id, there }
}

test('deliveries that do not fit the stored secret: SYNC makes another webhook, once', async () => {
  const before = await changeSecretThere()
  expect(await at.run()).toMatchObject({ state: 'done', counts: { 'post-call webhook': { created: 1 } } })
  const [[id, webhook] = ['', {}]] = [...at.fake.webhooks]
  expect(id).not.toBe(before.id)
  expect(await deliver(String(webhook.webhook_secret))).toBe(200)
  expect(await at.run()).toMatchObject({ counts: { 'post-call webhook': { kept: 1 } } })
  expect([...at.fake.webhooks.keys()]).toEqual([id])
})

test('deliveries that do not fit the stored secret: a comparison has another webhook made, once', async () => {
  const before = await changeSecretThere()
  const check = await at.run('voiceai_check')
  expect(check.differences).toEqual([
    expect.objectContaining({
      what: 'post-call webhook',
      message: expect.stringContaining('a secret that is not stored here'),
    }),
  ])
  await at.settled()
  const [[id, webhook] = ['', {}]] = [...at.fake.webhooks]
  expect(id).not.toBe(before.id)
  expect(await deliver(String(webhook.webhook_secret))).toBe(200)
  expect(await warning()).toBeNull()
  expect((await at.run('voiceai_check')).differences).toEqual([])
})

test('what a stranger sends without a right form makes no webhook', async () => {
  const [before] = at.fake.webhooks.keys()
  const late = `t=1000000000,v0=${'a'.repeat(64)}`
  for (const header of ['t=1', late, '']) {
    expect((await at.app.post('/connect_voiceai/post_call', '{}', { 'voiceai-signature': header })).status).toBe(401)
  }
  await at.app.app.deliveries.drained()
  expect(await at.run()).toMatchObject({ counts: { 'post-call webhook': { kept: 1 } } })
  expect([...at.fake.webhooks.keys()]).toEqual([before])
})

test('what a stranger sends in the right form is no difference, and a comparison makes no webhook of it', async () => {
  const [before] = at.fake.webhooks.keys()
  expect(await deliver('a made-up secret')).toBe(401)
  await at.app.app.deliveries.drained()
  expect((await at.run('voiceai_check')).differences).toEqual([])
  await at.settled()
  expect([...at.fake.webhooks.keys()]).toEqual([before])
})

test('nobody writes the secret or the id of the webhook, and one can be made where there is none', async () => {
  const [row] = await at.app.admin.ask<{ id: number }[]>('connect.settings', 'search_read', { fields: ['id'] })
  const stored = await secrets()
  for (const name of [
    'voiceai_post_call_webhook_secret',
    'voiceai_post_call_webhook_id',
    'voiceai_post_call_webhook_previous_secret',
  ]) {
    for (const value of ['another', null, false, '']) {
      const answer = await at.app.admin.call('connect.settings', 'write', { ids: [row?.id], vals: { [name]: value } })
      expect([name, answer.status]).toEqual([name, 422])
      expect(answer.text).toContain('is set by the service')
    }
  }
  const facts = await at.app.admin.ask<Record<string, { readonly: boolean; writable: boolean }>>(
    'connect.settings',
    'fields_get',
  )
  expect(facts.voiceai_post_call_webhook_secret).toMatchObject({ readonly: true, writable: false })
  expect(await at.app.admin.ask('connect.settings', 'voiceai_ensure_post_call_secret')).toEqual({ made: false })
  expect(await secrets()).toEqual(stored)
})
