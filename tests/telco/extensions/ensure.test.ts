// Short numbers that are made where one is needed.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setCountry } from '../../fixtures/records.ts'
import { expectRefused } from '../../support/refusals.ts'
import { type Caller, TestApp } from '../../support/test-app.ts'

const EXTENSION = 'connect.telco.exten'
const FLOW = 'connect.telco.callflow'
const PHONE_USER = 'connect.user'

interface Ensured {
  extension: number
  number: string
  made: { model: string; id: number }[]
}

let app: TestApp
let ann: Caller

const ensure = (asked: object) => app.admin.ask<Ensured>(EXTENSION, 'ensure', asked)
const read = async (model: string, id: number, fields: string[]) =>
  (await app.admin.ask<Record<string, unknown>[]>(model, 'read', { ids: [id], fields }))[0]

beforeAll(async () => {
  app = await TestApp.start()
  await setCountry(app, 'CH')
  ann = await app.person(['connect.group_user'], { login: 'ann', name: 'Ann Baker' })
})
afterAll(() => app.stop())

describe('an extension where one is needed', () => {
  it('a person without a phone gets one, and takes messages until it rings', async () => {
    const first = await ensure({ user: ann.userId, language: 'de-DE' })
    expect(await read(EXTENSION, first.extension, ['dst_name'])).toMatchObject({ dst_name: 'Ann Baker' })
    const [phone = 0] = await app.admin.ask<number[]>(PHONE_USER, 'search', { domain: [['user', '=', ann.userId]] })
    const made = [
      { model: EXTENSION, id: first.extension },
      { model: PHONE_USER, id: phone },
    ]
    expect(first).toMatchObject({ number: '100', name: 'Ann Baker', made })
    expect(await read(PHONE_USER, phone, ['voicemail_enabled', 'client_enabled', 'language'])).toMatchObject({
      ...{ voicemail_enabled: true, client_enabled: false, language: 'de-DE' },
    })
    const silence = ['No phone rings yet, so callers only hear the voicemail.']
    expect(await read(PHONE_USER, phone, ['rings_a_phone', 'remarks'])).toMatchObject({
      ...{ rings_a_phone: false, remarks: silence },
    })
    const mobile = { mobile_enabled: true, mobile_number: '+41795550177' }
    await app.admin.ask(PHONE_USER, 'write', { ids: [phone], vals: mobile })
    expect(await read(PHONE_USER, phone, ['rings_a_phone', 'remarks'])).toMatchObject({
      ...{ rings_a_phone: true, remarks: [] },
    })
    // Who is let in no more still has phones that ring.
    await app.admin.ask('res.users', 'write', { ids: [ann.userId], vals: { active: false } })
    const stays = ['The person is deactivated, and calls still ring these phones.']
    expect(await read(PHONE_USER, phone, ['remarks'])).toMatchObject({ remarks: stays })
    await app.admin.ask('res.users', 'write', { ids: [ann.userId], vals: { active: true } })
    await app.admin.ask(PHONE_USER, 'write', { ids: [phone], vals: { mobile_enabled: false } })
    // What is there is given, and nothing made.
    expect(await ensure({ user: ann.userId })).toMatchObject({ extension: first.extension, made: [] })
    expect(await ensure({ dst: `${PHONE_USER},${phone}` })).toMatchObject({ extension: first.extension, made: [] })
    // One who had a phone keeps it as it is.
    await app.admin.ask(EXTENSION, 'unlink', { ids: [first.extension] })
    await app.admin.ask(PHONE_USER, 'write', { ids: [phone], vals: { voicemail_enabled: false } })
    expect((await ensure({ user: ann.userId })).number).toBe('100')
    expect(await read(PHONE_USER, phone, ['voicemail_enabled'])).toMatchObject({ voicemail_enabled: false })
  })

  it('all that was made for a person is removed again, and they work with Connect as before', async () => {
    const bea = await app.person(['connect.group_user'], { login: 'bea', name: 'Bea Long' })
    const { made } = await ensure({ user: bea.userId })
    for (const { model, id } of made) {
      await app.admin.ask(model, 'unlink', { ids: [id], context: { keeps_groups: true } })
    }
    expect(await app.admin.ask(PHONE_USER, 'search', { domain: [['user', '=', bea.userId]] })).toEqual([])
    expect(await read('res.users', bea.userId, ['is_in_connect'])).toMatchObject({ is_in_connect: true })
    const again = await ensure({ user: bea.userId })
    for (const { model, id } of again.made) await app.admin.ask(model, 'unlink', { ids: [id] })
    expect(await read('res.users', bea.userId, ['is_in_connect'])).toMatchObject({ is_in_connect: false })
  })

  it('a box and a phone of which nobody says what they speak have the language of the callers', async () => {
    await app.admin.ask('connect.settings', 'write', { ids: [1], vals: { speech_language: 'fr-FR' } })
    const { userId: user } = await app.person(['connect.group_user'], { login: 'zoe', name: 'Zoe' })
    for (const asked of [{ voicemail: 'Boîte vocale' }, { user }]) {
      const { made } = await ensure(asked)
      const [record] = made.filter(({ model }) => model === FLOW || model === PHONE_USER)
      expect(await read(record?.model ?? '', record?.id ?? 0, ['language'])).toMatchObject({ language: 'fr-FR' })
    }
    await app.admin.ask('connect.settings', 'write', { ids: [1], vals: { speech_language: null } })
  })

  it('a voicemail box speaks the language of what leads there, and nothing before its prompt', async () => {
    const { extension, made } = await ensure({ voicemail: 'Anrufbeantworter', language: 'de' })
    const box = made.find(({ model }) => model === FLOW)?.id ?? 0
    expect(made).toEqual([
      { model: EXTENSION, id: extension },
      { model: FLOW, id: box },
    ])
    expect(
      await read(FLOW, box, ['name', 'language', 'prompt_message', 'voicemail_enabled', 'voicemail_prompt']),
    ).toEqual(
      expect.objectContaining({
        ...{ name: 'Anrufbeantworter', language: 'de-DE', prompt_message: null, voicemail_enabled: true },
        voicemail_prompt: expect.stringMatching(/Nachricht/),
      }),
    )
    for (const { model, id } of made) await app.admin.ask(model, 'unlink', { ids: [id] })
  })

  it('a mobile is read as people write it, and has one extension', async () => {
    const { extension, made } = await ensure({ mobile: '079 555 01 99' })
    expect(made).toHaveLength(1)
    expect(await read(EXTENSION, extension, ['mobile_number'])).toMatchObject({ mobile_number: '+41795550199' })
    expect(await ensure({ mobile: '+41 79 555 01 99' })).toMatchObject({ extension, made: [] })
    expect((await app.admin.call(EXTENSION, 'ensure', { mobile: '112' })).status).toBe(422)
  })

  it.each([{}, { voicemail: 'Box', mobile: '079 555 01 98' }])(
    'anything else than one is refused: %j',
    async (asked) => {
      expectRefused(await app.admin.call(EXTENSION, 'ensure', asked), [
        'extension-for-one',
        422,
        'Name one thing that the extension leads to: dst, user, mobile or voicemail.',
      ])
    },
  )

  it.each([['connect.group_user'], ['helpdesk.group_manager']])('%s makes none', async (group) => {
    const who = await app.person([group])
    expect((await who.call(EXTENSION, 'ensure', { voicemail: 'Box' })).status).toBe(403)
  })

  it('two who ask at once get two numbers', async () => {
    const both = await Promise.all([ensure({ voicemail: 'One' }), ensure({ voicemail: 'Two' })])
    expect(new Set(both.map(({ number }) => number)).size).toBe(2)
  })
})
