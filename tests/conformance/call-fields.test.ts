// What a call, a contact and a login show besides what is stored of them: docs/reference/domain.md#call-fields,
// docs/reference/domain.md#recording-fields, docs/reference/domain.md#contact-and-login-fields.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { writeSettings } from '../fixtures/post-call.ts'
import { aCall, aPartner, aPhoneUser, contactOf } from '../fixtures/records.ts'
import { TestApp } from '../support/test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start()
})
afterAll(() => app.stop())

async function show(model: string, id: number, fields: string[]): Promise<Record<string, unknown>> {
  const [row] = await app.admin.ask<Record<string, unknown>[]>(model, 'read', { ids: [id], fields })
  const { id: _id, ...shown } = row ?? {}
  return shown
}

async function aRecording(call: number, values: { transcript?: string; said?: string; url?: string }): Promise<number> {
  const { transcript = null, said = null, url = null } = values
  const [row] = await app.db.query<{ id: number }>(
    sql`insert into connect_recording (call, transcript, voiceai_transcript, media_url, source)
        values (${call}::bigint, ${transcript}, ${said}, ${url}, ${said === null ? 'DialVerb' : 'voiceai'}) returning id`,
  )
  return row?.id ?? 0
}

const player = (address: string): string => `<audio controls preload="none" src="${address}"></audio>`

describe('a call', () => {
  const OF_RECORDINGS = ['recording', 'recording_widget', 'recording_icon', 'transcript']
  const OF_AGENT = ['voiceai_transcript', 'voiceai_recording_widget']

  it('shows its newest recording, and what was said with the agent from the first one that tells it', async () => {
    const call = await aCall(app)
    const first = await aRecording(call, { said: 'user: first', url: 'https://telco.example/1' })
    await aRecording(call, { said: 'user: second' })
    const newest = await aRecording(call, { transcript: 'Hello', url: 'https://telco.example/3' })
    expect(await show('connect.call', call, [...OF_RECORDINGS, ...OF_AGENT])).toEqual({
      recording: [newest, `Recording ${newest}`],
      recording_widget: player(`/connect/recording/${newest}`),
      recording_icon: expect.stringContaining('title="Recording"'),
      transcript: 'Hello',
      voiceai_transcript: 'user: first',
      voiceai_recording_widget: player(`/connect/recording/${first}`),
    })
    expect(await show('connect.recording', newest, ['voiceai_recording_widget'])).toEqual({
      voiceai_recording_widget: null,
    })
    expect(await show('connect.recording', first, ['voiceai_recording_widget'])).toEqual({
      voiceai_recording_widget: player(`/connect/recording/${first}`),
    })
  })

  it('a call without a recording shows no recording', async () => {
    const shown = await show('connect.call', await aCall(app), [...OF_RECORDINGS, ...OF_AGENT])
    expect(Object.values(shown)).toEqual([null, null, null, null, null, null])
  })

  it('shows its voicemail, from here or from the provider as the settings say', async () => {
    const fields = ['voicemail_icon', 'voicemail_widget']
    const url = 'https://telco.example/v.mp3?a="b"'
    const [call, silent] = [await aCall(app, { voicemail_url: url, voicemail_duration: 4 }), await aCall(app)]
    const voicemail_icon = expect.stringContaining('title="Voicemail"')
    expect(await show('connect.call', call, fields)).toEqual({
      voicemail_icon,
      voicemail_widget: player(`/connect/voicemail/${call}`),
    })
    await writeSettings(app, { proxy_recordings: false })
    expect(await show('connect.call', call, fields)).toEqual({
      voicemail_icon,
      voicemail_widget: player('https://telco.example/v.mp3?a=&quot;b&quot;'),
    })
    await writeSettings(app, { proxy_recordings: true })
    expect(await show('connect.call', silent, fields)).toEqual({ voicemail_icon: null, voicemail_widget: null })
  })

  it('a call is about its ticket, else about its contact', async () => {
    const partner = await aPartner(app)
    const call = await aCall(app)
    const about = async () => (await show('connect.call', call, ['ref'])).ref
    expect(await about()).toBeNull()
    await app.admin.ask('connect.call', 'write', { ids: [call], vals: { partner } })
    expect(await about()).toBe(`res.partner,${partner}`)
    const ticket = await app.admin.ask<number>('helpdesk.ticket', 'create', { vals_list: { name: 'Broken' } })
    await app.admin.ask('connect.call', 'write', { ids: [call], vals: { ticket } })
    expect(await about()).toBe(`helpdesk.ticket,${ticket}`)
  })
})

describe('1.22 contacts and logins', () => {
  it('show the phone user that somebody is, to everybody who reads them', async () => {
    const { person, pbxUser } = await aPhoneUser(app, { name: 'Petra' })
    const link = { connect_user: [pbxUser, 'Petra'] }
    expect(await show('res.users', person.userId, ['connect_user'])).toEqual(link)
    expect(await show('res.partner', await contactOf(app, person.userId), ['connect_user'])).toEqual(link)
    const colleague = await app.person(['base.group_user'])
    const args = { ids: [person.userId, colleague.userId], fields: ['connect_user'] }
    expect(await colleague.ask('res.users', 'read', args)).toEqual([
      { id: person.userId, ...link },
      { id: colleague.userId, connect_user: null },
    ])
  })

  it('show the recorded calls of a contact, as far as the reader may see them', async () => {
    const partner = await aPartner(app)
    const recording = await aRecording(await aCall(app), { url: 'https://telco.example/1' })
    await app.admin.ask('connect.recording', 'write', { ids: [recording], vals: { partner } })
    expect(await show('res.partner', partner, ['connect_recorded_calls'])).toEqual({
      connect_recorded_calls: [recording],
    })
    const stranger = await app.person(['connect.group_user'])
    const args = { ids: [partner], fields: ['connect_recorded_calls'] }
    expect(await stranger.ask('res.partner', 'read', args)).toEqual([{ id: partner, connect_recorded_calls: [] }])
  })
})
