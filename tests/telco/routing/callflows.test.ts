import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { SPEECH_LANGUAGES } from '../../../src/telco/callflows/speech-languages.ts'
import numerals from '../../../src/telco/routing/decide/numerals.json' with { type: 'json' }
import { spokenDigits } from '../../../src/telco/routing/decide/spoken-digits.ts'
import { sentence } from '../../../src/telco/sentences/sentence.ts'
import {
  BASE,
  CUSTOMER,
  EDGE,
  Exchange,
  HANGUP,
  HOST,
  RECORDING_URL,
  response,
  SORRY,
  STATUS_URL,
  say,
  VOICEMAIL,
} from './exchange.ts'

const SPEECH = ' language="en-US" voice="woman"'
const PAUSE = '<Pause length="1"/>'
const NO_ACTIONS = `${say(sentence('noActions'))}${PAUSE}<Hangup/>`
const UNANSWERED = response(say(sentence('nobodyAnswers')), PAUSE, '<Hangup/>')

let exchange: Exchange
let sales = 0
let support = 0

beforeAll(async () => {
  exchange = await Exchange.start()
  sales = await exchange.extension('301', `connect.user,${await exchange.user('sally')}`)
  support = await exchange.extension('302', `connect.user,${await exchange.user('sue')}`)
})

afterAll(() => exchange.stop())

/** Calls the flow through an extension of its own. */
async function enter(flowId: number, form = {}): Promise<string> {
  const number = `8${flowId}`
  const known = await exchange.app.db.query(sql`select id from connect_telco_exten where number = ${number}`)
  if (known.length === 0) await exchange.extension(number, `connect.telco.callflow,${flowId}`)
  return exchange.toDomain(number, { form: { From: CUSTOMER, ...form } })
}

function menu(values = {}): Promise<number> {
  return exchange.flow({ prompt_message: 'Press one.', gather_input: true, ...values })
}

async function choose(callflow: number, digits: string, exten: number, speech?: string): Promise<void> {
  await exchange.create('connect.telco.callflow_choice', { callflow, choice_digits: digits, exten, speech })
}

const gatherVerb = (
  flowId: number,
  { query = '', attributes = ' input="dtmf" language="en-US"', prompt = 'Press one.' } = {},
) =>
  `<Gather action="${BASE}/telco/webhook/callflow/${flowId}/gather${query}${EDGE}" method="POST" timeout="5" numDigits="1"${attributes}>${say(prompt, SPEECH)}</Gather>`

describe('what a flow says', () => {
  test('a flow with nothing set up says that there is nothing', async () => {
    expect(await enter(await exchange.flow({}))).toBe(response(NO_ACTIONS))
  })

  test('a prompt without input, in the language of the flow', async () => {
    const flow = await exchange.flow({ prompt_message: 'Hallo.', language: 'de-DE', voice: 'Polly.Marlene' })
    const spoken = ' language="de-DE" voice="Polly.Marlene"'
    const goodbye = say(sentence('noActions', 'de'), spoken)
    expect(await enter(flow)).toBe(response(say('Hallo.', spoken), goodbye, '<Pause length="1"/><Hangup/>'))
  })

  test.each([
    ['#', '1', 'numDigits="1" finishOnKey="" '],
    ['10', '1', 'numDigits="2" '],
    ['*#9', '10', 'numDigits="3" finishOnKey="" '],
    ['*', '1', 'numDigits="1" '],
  ])('a choice %s beside %s can be dialled', async (one, other, awaited) => {
    const flow = await menu()
    for (const digits of [one, other]) await choose(flow, digits, sales)
    expect(await enter(flow)).toContain(`timeout="5" ${awaited}input="dtmf"`)
    expect(await exchange.gather(flow, { form: { Digits: one } })).toContain('sally')
  })

  test('a question, then what comes without an answer', async () => {
    const flow = await menu()
    expect(await enter(flow)).toBe(response(gatherVerb(flow), NO_ACTIONS))
  })

  test('hints go with speech only', async () => {
    const flow = await menu({ gather_input_type: 'dtmf speech', gather_hints: 'sales, "support"' })
    const attributes = ' input="dtmf speech" language="en-US" hints="sales, &quot;support&quot;"'
    expect(await enter(flow)).toBe(response(gatherVerb(flow, { attributes }), NO_ACTIONS))
    await exchange.write('connect.telco.callflow', flow, { gather_hints: '  ' })
    expect(await enter(flow)).not.toContain('hints')
  })

  test('voicemail needs both its switch and a prompt', async () => {
    const both = { voicemail_enabled: true, voicemail_prompt: 'Leave a message.' }
    expect(await enter(await exchange.flow(both))).toBe(response(PAUSE, say('Leave a message.', SPEECH), VOICEMAIL))
    expect(await enter(await exchange.flow({ ...both, voicemail_enabled: false }))).toBe(response(NO_ACTIONS))
    expect(await enter(await exchange.flow({ ...both, voicemail_prompt: ' ' }))).toBe(response(NO_ACTIONS))
  })

  test('a very long prompt is cut, not refused', async () => {
    const flow = await exchange.flow({ prompt_message: '😀'.repeat(100_000) })
    expect((await enter(flow)).length).toBeLessThan(5_000)
  })
})

describe('a group of phones', () => {
  let ringing = 0
  beforeAll(async () => {
    const users = [
      await exchange.user('ann', { sip_enabled: true }),
      await exchange.user('ben', { client_enabled: false }),
    ]
    ringing = await exchange.flow({ ring_users: users })
  })

  const noun = {
    client: (callerId: string) =>
      `<Client statusCallbackEvent="answered completed" statusCallback="${STATUS_URL}"><Identity>ann@${HOST}</Identity><Parameter name="From" value="${callerId}"/></Client>`,
    sip: `<Sip statusCallback="${STATUS_URL}" statusCallbackEvent="answered completed">sip:ann@${HOST}</Sip>`,
  }
  const dial = (nouns: string, { callerId = CUSTOMER, record = '' } = {}) =>
    `<Dial callerId="${callerId}" action="${BASE}/telco/webhook/connect.telco.callflow/call_action/${ringing}${EDGE}"${record}>${nouns}</Dial>`

  test('rings every enabled device at once', async () => {
    expect(await enter(ringing)).toBe(response(dial(noun.client(CUSTOMER) + noun.sip)))
  })

  test('a group of phones is recorded when the flow says so', async () => {
    await exchange.write('connect.telco.callflow', ringing, { record_calls: true })
    const record = ` record="record-from-answer-dual" recordingStatusCallback="${RECORDING_URL}"`
    expect(await enter(ringing)).toBe(response(dial(noun.client(CUSTOMER) + noun.sip, { record })))
    await exchange.write('connect.telco.callflow', ringing, { record_calls: false })
  })

  test.each([`sip:ann@${HOST}`, 'client:stranger@x', `sips:ann@${HOST}`])(
    'called by %s needs a default caller id, and says so',
    async (caller) => {
      expect(await enter(ringing, { From: caller })).toBe(response(say(sentence('noCallerId'))))
    },
  )

  test('shows the default caller id for a phone of ours', async () => {
    const id = await exchange.create('connect.telco.outgoing_callerid', {
      number: '+14155550160',
      friendly_name: 'Desk',
      callerid_type: 'number',
      is_default: true,
    })
    expect(await enter(ringing, { From: 'client:stranger@x' })).toContain('<Dial callerId="+14155550160"')
    expect(await enter(ringing, { From: '' })).toContain('<Dial callerId="+14155550160"')
    await exchange.write('connect.telco.outgoing_callerid', id, { is_default: false })
    expect(await enter(ringing, { From: '' })).toContain('<Dial callerId="anonymous"')
  })

  test('a group of phones without any device is as if there were none', async () => {
    const flow = await exchange.flow({ ring_users: [await exchange.user('cleo', { client_enabled: false })] })
    expect(await enter(flow)).toBe(response(NO_ACTIONS))
  })

  test('a group of phones of more than ten devices rings everybody on the first one', async () => {
    const users: number[] = []
    for (let at = 0; at < 8; at += 1) users.push(await exchange.user(`many${at}`, { sip_enabled: true }))
    const markup = await enter(await exchange.flow({ ring_users: users }))
    expect(markup.match(/<Client /g)).toHaveLength(8)
    expect(markup.match(/<Sip /g)).toHaveLength(2)
  })

  test.each([
    ['nobody answered', { DialCallStatus: 'no-answer' }],
    ['the callee declined', { DialCallStatus: 'completed', DialBridged: 'false' }],
    ['nothing is said', {}],
  ])('when %s, takes a message or says sorry', async (_what, form) => {
    expect(await exchange.flowAction(ringing, { form })).toBe(UNANSWERED)
    const flow = await exchange.flow({ voicemail_enabled: true, voicemail_prompt: 'Beep soon.' })
    expect(await exchange.flowAction(flow, { form })).toBe(response(PAUSE, say('Beep soon.', SPEECH), VOICEMAIL))
  })

  test('a call ends after its group was talked to', async () => {
    expect(await exchange.flowAction(ringing, { form: { DialCallStatus: 'completed', DialBridged: 'true' } })).toBe(
      HANGUP,
    )
    expect(await exchange.flowAction(ringing, { form: { DialCallStatus: 'completed' } })).toBe(HANGUP)
  })

  test('an unknown flow is answered with a sentence', async () => {
    expect(await exchange.flowAction(0)).toBe(SORRY)
    expect(await exchange.gather(0, { form: { Digits: '1' } })).toBe(
      response(say(sentence('callflowNotFound')), '<Hangup/>'),
    )
  })
})

describe('the answer of a caller', () => {
  let flow = 0
  beforeAll(async () => {
    flow = await menu({ gather_input_type: 'dtmf speech', gather_hints: '', invalid_input_message: 'Wrong.' })
    await choose(flow, '1', sales, 'sales')
    await choose(flow, '2', support, 'Help, please!')
  })

  const asked = (query: string) => gatherVerb(flow, { query, attributes: ' input="dtmf speech" language="en-US"' })

  test.each([
    [{ Digits: '1' }, 'sally'],
    [{ Digits: '2' }, 'sue'],
    [{ SpeechResult: 'I need SALES.' }, 'sally'],
    [{ SpeechResult: 'help please' }, 'sue'],
    [{ SpeechResult: 'presales' }, 'sally'],
    [{ Digits: '2', SpeechResult: 'sales' }, 'sue'],
    [{ Digits: '9', SpeechResult: 'sales' }, 'sally'],
  ])('%j leads to %s', async (form, name) => {
    expect(await exchange.gather(flow, { form })).toContain(`<Identity>${name}@`)
  })

  test.each([[{ Digits: '9' }], [{ Digits: '' }], [{ SpeechResult: '...' }], [{ SpeechResult: 'hello' }], [{}]])(
    '%j is wrong: the question comes again, and the address counts it',
    async (form) => {
      expect(await exchange.gather(flow, { form })).toBe(
        response(say('Wrong.', SPEECH), asked('?invalid=1'), NO_ACTIONS),
      )
    },
  )

  test('the third wrong answer of a call is as no answer at all', async () => {
    const form = { Digits: '9' }
    expect(await exchange.gather(flow, { form, query: 'invalid=1' })).toContain('gather?invalid=2#e=')
    expect(await exchange.gather(flow, { form, query: 'invalid=2' })).toBe(response(NO_ACTIONS))
    expect(await exchange.gather(flow, { form, query: 'invalid=99' })).toBe(response(NO_ACTIONS))
    expect(await exchange.gather(flow, { form, query: 'invalid=abc' })).toContain('gather?invalid=1#e=')
  })

  test('a flow asks as often as it is told to', async () => {
    const once = await menu({ gather_rounds: 1 })
    const often = await menu({ gather_rounds: 10 })
    const form = { Digits: '9' }
    expect(await exchange.gather(once, { form })).toBe(response(NO_ACTIONS))
    expect(await exchange.gather(often, { form, query: 'invalid=8' })).toContain('gather?invalid=9#e=')
    expect(await exchange.gather(often, { form, query: 'invalid=9' })).toBe(response(NO_ACTIONS))
  })

  test('ten wrong answers in a row come to an end, wherever they are given', async () => {
    const [outer, inner] = [await menu(), await menu({ prompt_message: 'Inner.' })]
    await choose(outer, '1', await exchange.extension('395', `connect.telco.callflow,${inner}`))
    let markup = await exchange.gather(outer, { form: { Digits: '1' } })
    let asked = 0
    for (; asked < 10 && markup.includes('<Gather'); asked += 1) {
      const [, flowId = '', query = ''] = /callflow\/(\d+)\/gather\??([^#"]*)/.exec(markup) ?? []
      markup = await exchange.gather(Number(flowId), { form: { Digits: '9' }, query })
    }
    expect([asked, markup]).toEqual([3, response(NO_ACTIONS)])
  })

  test('a flow that takes no messages goes to its fall-back in the end', async () => {
    const flowId = await menu({ fallback_exten: sales, fallback_message: 'Write to us.' })
    const back = `<Redirect method="POST">${BASE}/telco/webhook/connect.telco.callflow/call_action/${flowId}${EDGE}</Redirect>`
    expect(await enter(flowId)).toBe(response(gatherVerb(flowId), back))
    expect(await exchange.gather(flowId, { form: { Digits: '9' }, query: 'invalid=2' })).toBe(response(back))
    expect(await exchange.flowAction(flowId)).toContain('<Identity>sally@')
    expect(await exchange.flowAction(flowId, { query: 'fallback=1' })).toBe(
      response(say('Write to us.', ' language="en-US" voice="woman"'), '<Hangup/>'),
    )
    await exchange.write('connect.telco.callflow', flowId, { voicemail_enabled: true, voicemail_prompt: 'Speak.' })
    expect(await exchange.gather(flowId, { form: { Digits: '9' }, query: 'invalid=2' })).toBe(
      response(PAUSE, say('Speak.', SPEECH), VOICEMAIL),
    )
  })

  test('a flow that is its own fall-back does not go in circles', async () => {
    const flowId = await menu()
    const itself = await exchange.extension('396', `connect.telco.callflow,${flowId}`)
    await exchange.write('connect.telco.callflow', flowId, { fallback_exten: itself })
    expect(await exchange.flowAction(flowId)).toContain('call_action')
    expect(await exchange.flowAction(flowId, { query: 'fallback=1' })).toBe(UNANSWERED)
  })

  test('a flow without choices asks again', async () => {
    const empty = await menu({ invalid_input_message: '' })
    expect(await exchange.gather(empty, { form: { Digits: '1' } })).toBe(
      response(gatherVerb(empty, { query: '?invalid=1' }), NO_ACTIONS),
    )
  })

  test('menus lead to menus, and the count of wrong answers goes along', async () => {
    const inner = await menu({ prompt_message: 'Inner.' })
    const exten = await exchange.extension('390', `connect.telco.callflow,${inner}`)
    await choose(flow, '5', exten)
    await choose(inner, '1', sales)
    expect(await exchange.gather(flow, { form: { Digits: '5' } })).toContain(gatherVerb(inner, { prompt: 'Inner.' }))
    expect(await exchange.gather(flow, { form: { Digits: '5' }, query: 'invalid=2' })).toContain(
      gatherVerb(inner, { prompt: 'Inner.', query: '?invalid=2' }),
    )
    expect(await exchange.gather(inner, { form: { Digits: '1' } })).toContain('<Identity>sally@')
  })

  test('a choice that leads nowhere says so', async () => {
    await choose(flow, '7', await exchange.create('connect.telco.exten', { number: '391' }))
    expect(await exchange.gather(flow, { form: { Digits: '7' } })).toBe(
      response(say(sentence('extensionNotConfigured'))),
    )
  })
})

describe('generated speech', () => {
  test('generated speech is played while it says what the text says, and only when voice agents are on', async () => {
    const flow = await exchange.flow({
      prompt_message: 'Welcome!',
      voicemail_enabled: true,
      voicemail_prompt: 'Speak.',
    })
    const [prompt, voicemail, silent] = [
      await speech('Welcome!', 'SUQz'),
      await speech('Speak.', 'SUQz'),
      await speech('Welcome!', null),
    ]
    await link(flow, { prompt_message_file: prompt, voicemail_prompt_file: voicemail })
    expect(await enter(flow)).toContain('<Say')
    await exchange.settings({ voiceai_enabled: true })
    const url = async (id: number) => `${BASE}/web/content/connect.voiceai_file/${id}/file/${await filename(id)}`
    expect(await enter(flow)).toBe(
      response(`<Play>${await url(prompt)}</Play>`, PAUSE, `<Play>${await url(voicemail)}</Play>`, VOICEMAIL),
    )
    await exchange.write('connect.telco.callflow', flow, { prompt_message: 'Good evening!' })
    expect(await enter(flow)).toContain(say('Good evening!', SPEECH))
    await link(flow, { prompt_message_file: silent })
    await exchange.write('connect.telco.callflow', flow, { prompt_message: 'Welcome!' })
    expect(await enter(flow)).toContain(say('Welcome!', SPEECH))
    // Base64 of nothing is no audio.
    await link(flow, { prompt_message_file: await speech('Welcome!', '==') })
    expect(await enter(flow)).toContain(say('Welcome!', SPEECH))
    await exchange.settings({ voiceai_enabled: false })
  })

  const speech = (text: string, file: string | null) => exchange.create('connect.voiceai_file', { text, file })

  async function filename(id: number): Promise<string> {
    const [row] = await exchange.app.db.query<{ filename: string }>(
      sql`select filename from connect_voiceai_file where id = ${id}::bigint`,
    )
    return row?.filename ?? ''
  }

  async function link(flow: number, files: Record<string, number>): Promise<void> {
    for (const [field, id] of Object.entries(files)) {
      await exchange.app.db.query(
        sql`update connect_telco_callflow set ${sql.identifier(field)} = ${id}::bigint where id = ${flow}::bigint`,
      )
    }
  }
})

test.each([null, '', 'sales, I would like to speak to somebody', 'x'.repeat(100)])(
  'hints %j are saved',
  async (hints) => {
    expect(await exchange.flow({ gather_hints: hints })).toBeGreaterThan(0)
  },
)

test.each([
  [
    `sales, ${'x'.repeat(101)}`,
    /gather_hints\\+" may hold hints of at most 100 characters: \\+"x{100}\\+" is longer\./,
  ],
  ['a,'.repeat(501), /gather_hints\\+" may hold at most 500 hints, not 501\./],
])('hints that the provider would not listen for are refused', async (hints, problem) => {
  await expect(exchange.flow({ gather_hints: hints })).rejects.toThrow(problem)
})

describe('a numeral that is said is a digit', () => {
  test.each([
    ['en-US', 'One.', '1'],
    ['en-GB', 'the number two please', '2'],
    ['en-US', 'two two', '22'],
    ['en-US', 'oh', '0'],
    ['en-US', 'Press 2', '2'],
    ['de-DE', 'Eins bitte', '1'],
    ['fr-FR', 'un', '1'],
    ['it-IT', 'uno', '1'],
    ['es-MX', 'dos', '2'],
    ['ru-RU', 'два', '2'],
    ['uk-UA', "п'ять", '5'],
    ['pt-BR', 'três', '3'],
    ['zh-CN', '我要二', '2'],
    ['tr-TR', 'iki', '2'],
    ['vi-VN', 'số hai', '2'],
    // Eleven is ten and one there.
    ['tr-TR', 'on bir', '11'],
    ['vi-VN', 'mười một', '11'],
    ['zh-CN', '按十二', '12'],
    ['zh-CN', '我要２', '2'],
    // The name of the digit, as people say it there.
    ['hu-HU', 'kettes', '2'],
    ['fi-FI', 'ykkönen', '1'],
    ['sv-SE', 'tvåan', '2'],
  ])('%s: "%s" is %s', async (language, said, digits) => {
    const flow = await menu({ gather_input_type: 'dtmf speech', language })
    await choose(flow, digits, sales)
    await choose(flow, '9999', support)
    expect(await exchange.gather(flow, { form: { SpeechResult: said } })).toContain('sally')
  })

  test('words of a choice come before a numeral, and what is pressed before what is said', async () => {
    const flow = await menu({ gather_input_type: 'dtmf speech' })
    await choose(flow, '1', sales)
    await choose(flow, '2', support, 'one')
    expect(await exchange.gather(flow, { form: { SpeechResult: 'one' } })).toContain('sue')
    expect(await exchange.gather(flow, { form: { Digits: '1', SpeechResult: 'one' } })).toContain('sally')
  })

  test.each(SPEECH_LANGUAGES)('%s has ten digits', (language) => {
    for (let digit = 0; digit < 10; digit += 1) {
      const own = numerals[language.split('-')[0] as keyof typeof numerals][digit]?.split(' ') ?? []
      expect(own.length).toBeGreaterThan(0)
      for (const word of own) expect(spokenDigits(word, language)).toBe(String(digit))
    }
  })
})
