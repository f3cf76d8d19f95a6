import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { GROUP } from '../../../src/platform/access/identity.ts'
import { saveSpeechFile } from '../../../src/ports/spoken-prompts.ts'
import { inServiceEnv } from '../../../src/sync/service-env.ts'
import { SyncApp } from '../sync/sync-app.ts'

const FILE = 'connect.voiceai_file'
const FLOW = 'connect.telco.callflow'

let at: SyncApp

beforeAll(async () => {
  at = await SyncApp.start()
  await at.setUp()
  expect((await at.run()).state).toBe('done')
})
beforeEach(() => at.fake.calm())
afterAll(() => at.stop())

async function audioOf(id: number): Promise<string> {
  const { file } = await at.read(FILE, id, ['file'])
  return typeof file === 'string' ? Buffer.from(file, 'base64').toString() : ''
}

function spoken(): string[] {
  return at.fake.asked.filter((each) => each.path.includes('text-to-speech')).map((each) => String(each.body.text))
}

test('a new text is spoken with the default voice, and spoken anew when it changes', async () => {
  at.fake.audio = Buffer.from('first audio')
  const id = await at.app.admin.ask<number>(FILE, 'create', { vals_list: { text: 'Welcome!' } })
  await at.settled()
  expect(at.fake.asked).toMatchObject([{ method: 'POST', body: { text: 'Welcome!' } }])
  expect(at.fake.asked[0]?.path).toMatch(/^\/v1\/text-to-speech\/voice_1/)
  expect(await audioOf(id)).toBe('first audio')
  const { filename } = await at.read(FILE, id, ['filename'])

  at.fake.audio = Buffer.from('second audio')
  await at.write(FILE, id, { text: 'Good evening!' })
  await at.settled()
  expect(await audioOf(id)).toBe('second audio')
  expect((await at.read(FILE, id, ['filename'])).filename).not.toBe(filename)
  await at.write(FILE, id, { text: 'Good evening!' })
  await at.settled()
  expect(spoken()).toEqual(['Welcome!', 'Good evening!'])
})

test('audio of another text is never kept, also when the text changes while it is spoken or nothing can be spoken', async () => {
  const id = await at.app.admin.ask<number>(FILE, 'create', { vals_list: { text: 'One' } })
  await at.settled()
  at.fake.fail({
    path: /text-to-speech/,
    times: 1,
    before: async () => {
      await at.write(FILE, id, { text: 'Three' })
    },
  })
  await at.write(FILE, id, { text: 'Two' })
  await at.settled()
  expect(spoken().at(-1)).toBe('Three')
  expect(await audioOf(id)).not.toBe('')
  await at.settings({ voiceai_enabled: false })
  await at.write(FILE, id, { text: 'Four' })
  await at.settled()
  expect(await audioOf(id)).toBe('')
  await at.settings({ voiceai_enabled: true })
})

const ONE_PROMPT = { name: 'Menu', prompt_message: 'Press 1.', invalid_input_message: null, voicemail_prompt: null }

test('a prompt gets a file with its text, keeps it while the text changes, and loses it with the text', async () => {
  const flow = await at.app.admin.ask<number>(FLOW, 'create', { vals_list: ONE_PROMPT })
  await at.settled()
  const link = async (): Promise<unknown> => (await at.read(FLOW, flow, ['prompt_message_file'])).prompt_message_file
  const [id] = (await link()) as [number, string]
  expect(await audioOf(id)).not.toBe('')
  await at.write(FLOW, flow, { prompt_message: 'Press 2.' })
  await at.settled()
  expect(await link()).toMatchObject([id, expect.any(String)])
  expect(spoken()).toEqual(['Press 1.', 'Press 2.'])
  await at.write(FLOW, flow, { prompt_message: ' ' })
  expect(await link()).toBeNull()
  expect((await at.app.admin.call(FILE, 'read', { ids: [id] })).status).toBe(404)
})

test('prompts that were written while voice agents were off get their files from REGENERATE PROMPTS', async () => {
  const [flow = 0] = await at.app.admin.ask<number[]>(FLOW, 'search')
  await at.settings({ voiceai_enabled: false })
  await at.write(FLOW, flow, { prompt_message: 'Main menu.', voicemail_prompt: 'Leave a message.' })
  await at.settled()
  expect(spoken()).toEqual([])
  await at.settings({ voiceai_enabled: true })
  const [prompt] = await at.parts.prompts.list(at.app.db)
  if (prompt === undefined) throw new Error('there is no prompt')
  expect(await inServiceEnv(at.parts, (env) => saveSpeechFile(env, { ...prompt, text: null }))).toBeNull()
  expect(await at.run('voiceai_regenerate_prompts')).toMatchObject({
    state: 'done',
    counts: { prompts: { generated: 2, empty: 1 } },
  })
  await at.settled()
  expect(new Set(spoken())).toEqual(new Set(['Main menu.', 'Leave a message.']))
  at.fake.calm()
  expect((await at.run('voiceai_regenerate_prompts')).counts).toEqual({ prompts: { generated: 2, empty: 1 } })
  expect(spoken().toSorted()).toEqual(['Leave a message.', 'Main menu.'])
})

test('a user’s voicemail prompt is spoken with the name in it', async () => {
  const login = await at.app.person([GROUP.internal], { name: 'Zoe Example' })
  await at.app.admin.ask('connect.user', 'create', {
    vals_list: { user: login.userId, client_enabled: false, voicemail_prompt: '{{user.name}} is away.' },
  })
  await at.settled()
  expect(spoken()).toEqual(['Zoe Example is away.'])
})

test('REGENERATE PROMPTS says which prompts failed', async () => {
  const [flow = 0] = await at.app.admin.ask<number[]>(FLOW, 'search')
  at.fake.fail({ path: /text-to-speech/, status: 401, body: { detail: { status: 'quota_exceeded' } } })
  const run = await at.run('voiceai_regenerate_prompts')
  expect(run.state).toBe('failed')
  expect(run.errors).toContainEqual({
    step: 'prompts',
    model: FLOW,
    id: flow,
    name: 'Menu, prompt',
    message: 'The quota of the account at ElevenLabs is used up.',
  })
})

test('REGENERATE PROMPTS says so without a default voice', async () => {
  await at.settings({ voiceai_voice: null })
  expect(await at.run('voiceai_regenerate_prompts')).toMatchObject({
    state: 'failed',
    errors: [{ message: 'Choose a default voice in the settings first.' }],
  })
})

test('the speech of a flow, and of a user, goes with it; that of others stays', async () => {
  const login = await at.app.person([GROUP.internal], { name: 'Yan Example' })
  const user = await at.app.admin.ask<number>('connect.user', 'create', {
    vals_list: { user: login.userId, client_enabled: false, voicemail_prompt: 'Away.' },
  })
  const before = await at.app.count('connect_voiceai_file')
  const prompts = { ...ONE_PROMPT, invalid_input_message: 'No.', voicemail_prompt: 'Speak.' }
  const flow = await at.app.admin.ask<number>(FLOW, 'create', { vals_list: prompts })
  expect(await at.app.count('connect_voiceai_file')).toBe(before + 3)
  await at.app.admin.ask(FLOW, 'unlink', { ids: [flow] })
  expect(await at.app.count('connect_voiceai_file')).toBe(before)
  await at.app.admin.ask('connect.user', 'unlink', { ids: [user] })
  expect(await at.app.count('connect_voiceai_file')).toBe(before - 1)
  await at.settled()
})
