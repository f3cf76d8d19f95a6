// What happened in a call, in the words of the page.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { sipWords } from '../../src/ledger/timeline/delivery-words.ts'
import { sentenceOf } from '../../src/ledger/timeline/sentences.ts'
import { WHY_SENTENCES } from '../../src/ledger/timeline/why-sentences.ts'
import { momentWords, whyWords } from '../../web/lines/story-words.ts'
import { callErrorWords } from '../../web/words/call-errors.ts'
import { party } from '../../web/words/formats.ts'
import { wordLabels } from '../../web/words/labels.ts'

describe('the words of a story', () => {
  const english = JSON.parse(readFileSync('web/words/en/story.json', 'utf8')) as Record<string, string>
  const values = {
    who: 'Zoe',
    text: 'Hi',
    to: 'Ann',
    from: 'Bob',
    status: 'busy',
    agent: 'Desk',
    number: '+1',
    digits: '1',
    speech: 'Sales',
    error: '',
  }

  /** The service calls tools by their names for programs; the page says what they do. */
  const OF_TOOLS = ['tool_failed', 'why_tool_failed', 'why_tool_late']

  test.each(
    Object.keys(english).filter(
      (key) => !/^(?:did|state|sip|sip_said)_|^(?:missed|withheld)$/.test(key) && !OF_TOOLS.includes(key),
    ),
  )('%s is said as the service says it', (key) => {
    const say = (each: string) => english[each] ?? ''
    if (key.startsWith('why_')) {
      const code = key.slice('why_'.length)
      const words = whyWords(say as never, { code, params: values, sentence: '' }, (name) => name)
      expect(words).toBe(sentenceOf(code, values, WHY_SENTENCES))
    } else {
      const words = momentWords(say as never, { title: key, params: values, sentence: '' }, (name) => name)
      expect(words).toBe(sentenceOf(key, values))
    }
  })

  test.each([
    {
      language: 'en',
      words: 'Open a ticket',
      told: 'Failed: Open a ticket: No such team',
      why: 'The tool “Open a ticket” failed: No such team.',
    },
    {
      language: 'de',
      words: 'Ticket anlegen',
      told: 'Fehlgeschlagen: Ticket anlegen: No such team',
      why: 'Das Werkzeug „Ticket anlegen“ ist fehlgeschlagen: No such team.',
    },
  ])('a tool that failed is called $words in $language', ({ language, words, told, why }) => {
    const all = JSON.parse(readFileSync(`web/words/${language}/story.json`, 'utf8')) as Record<string, string>
    const say = ((key: string) => all[key] ?? '') as never
    const tools = (name: string) => (name === 'helpdesk_create_ticket' ? words : name)
    const params = { name: 'helpdesk_create_ticket', say: 'No such team', took: 21, budget: 20 }
    expect(momentWords(say, { title: 'tool_failed', params, sentence: '' }, tools)).toBe(told)
    expect(whyWords(say, { code: 'tool_failed', params, sentence: '' }, tools)).toBe(why)
    expect(whyWords(say, { code: 'tool_late', params, sentence: '' }, tools)).toContain(words)
  })

  test.each([
    ['en', 'asked', 'callaction', 'Next step → hangs up'],
    ['en', 'asked', 'gather', "Next step (Caller's choice in a menu) → hangs up"],
    ['en', 'rejected', 'callstatus', 'Webhook with a bad signature (Status of a call)'],
    ['en', 'failed', 'number', 'Error in Connect: Incoming call'],
    ['en', 'refused', 'helpdesk_create_ticket', 'Declined: Open a ticket'],
    ['en', 'why_delivery_failed', 'callstatus', 'Connect had an error with the webhook “Status of a call”.'],
    ['de', 'delivered', 'callstatus', 'Empfangen: Stand eines Anrufs'],
    ['de', 'why_delivery_rejected', 'number', 'Ein Webhook hatte eine ungültige Signatur (Eingehender Anruf).'],
  ])('a webhook of a call is named in words (%s, %s of %s)', (language, title, page, words) => {
    const all = JSON.parse(readFileSync(`web/words/${language}/story.json`, 'utf8')) as Record<string, string>
    wordLabels(language === 'de' ? JSON.parse(readFileSync('web/words/de/fields.json', 'utf8')) : {})
    const say = ((key: string) => all[key] ?? '') as never
    const tools = (name: string) => (name === 'helpdesk_create_ticket' ? 'Open a ticket' : name)
    const params = { page, steps: [{ verb: 'Hangup', text: '' }] }
    const told = title.startsWith('why_')
      ? whyWords(say, { code: title.slice('why_'.length), params, sentence: '' }, tools)
      : momentWords(say, { title, params, sentence: '' }, tools)
    wordLabels({})
    expect(told).toBe(words)
  })

  const OF_GERMAN = JSON.parse(readFileSync('web/words/de/story.json', 'utf8')) as Record<string, string>
  const german = ((key: string) => OF_GERMAN[key] ?? '') as never

  test.each([400, 403, 404, 408, 480, 486, 487, 488, 500, 503, 603])('SIP %s is said in German', (code) => {
    const ended = sipWords(new URLSearchParams({ SipResponseCode: String(code), To: 'sip:eve@sip.example.com' }))
    const told = { title: 'report', params: { status: 'canceled', sip: ended }, sentence: '' }
    const inEnglish = momentWords(((key: string) => english[key] ?? '') as never, told, (name) => name)
    expect(inEnglish).toBe(`Cancelled: ${ended}`)
    const words = momentWords(german, told, (name) => name)
    expect(words).toMatch(new RegExp(`^Abgebrochen: SIP ${code} .+, beantwortet von sip\\.example\\.com$`))
    expect(words).not.toContain(ended.slice('SIP 000 '.length, -', answered by sip.example.com'.length))
  })

  const CODES = [400, 403, 404, 408, 480, 486, 487, 488, 500, 503, 603, 699]
  const PARTIES = ['+41790000001', 'sip:eve@sip.example.com']
  test.each(
    CODES.flatMap((code) =>
      PARTIES.flatMap((to) => (['en', 'de'] as const).map((language) => ({ code, to, language }))),
    ),
  )('why $to was not reached is said without SIP $code in $language', ({ code, to, language }) => {
    const words = language === 'de' ? OF_GERMAN : english
    const say = ((key: string) => words[key] ?? '') as never
    const sip = sipWords(new URLSearchParams({ SipResponseCode: String(code), To: to }))
    const params = { to: 'Paul', number: null, did: 'hangs up', status: 'failed', dialled: 'failed', sip }
    const moments = ['leg_ended', 'dial_ended'].map((title) =>
      momentWords(say, { title, params, sentence: '' }, (name) => name),
    )
    const causes = ['not_reached', 'number_not_found', 'own_phone_not_reached', 'agent_unknown'].map((why) =>
      whyWords(say, { code: why, params, sentence: '' }, (name) => name),
    )
    expect([...moments, ...causes].join('\n')).not.toMatch(/SIP|example|\d{3}|[[\]]/)
  })

  test('a mobile that is not there has a number that does not exist', () => {
    const sip = sipWords(new URLSearchParams({ SipResponseCode: '404', To: '+41790000001' }))
    const why = { code: 'not_reached', params: { to: 'Paul', sip }, sentence: '' }
    const say = ((key: string) => english[key] ?? '') as never
    expect(whyWords(say, why, (name) => name)).toBe('Paul could not be reached: the number does not exist.')
    expect(whyWords(german, why, (name) => name)).toBe('Paul war nicht erreichbar: Die Nummer gibt es nicht.')
    const gone = { code: 'number_not_found', params: { to: 'Paul', sip }, sentence: '' }
    expect(whyWords(say, gone, (name) => name)).toBe("Paul can't be dialled: there is no such number.")
  })

  test.each(['client:paul', 'sip:paul@example.sip.twilio.com'])(
    'a phone that is not signed in is not told as a number that does not exist: %s',
    (to) => {
      const sip = sipWords(new URLSearchParams({ SipResponseCode: '404', To: to }))
      const why = {
        code: 'own_phone_not_reached',
        params: { to: 'Paul', number: '+41 31 380 83 16', sip },
        sentence: '',
      }
      const say = ((key: string) => english[key] ?? '') as never
      expect(whyWords(say, why, (name) => name)).toContain('could not be reached (no phone is signed in)')
      expect(whyWords(german, why, (name) => name)).toContain('(Kein Telefon ist angemeldet)')
    },
  )

  test('a line that is busy says so once, and whom one talked with has a number as it is written', () => {
    const sip = sipWords(new URLSearchParams({ SipResponseCode: '486', To: '+41790000001' }))
    const told = (title: string) =>
      momentWords(german, { title, params: { to: 'Pia Frei', status: 'busy', sip }, sentence: '' }, (name) => name)
    expect([told('leg_ended'), told('report')]).toEqual(['Pia Frei: besetzt', 'Besetzt: SIP 486'])
    const why = { code: 'person', params: { person: '+41795550133' }, sentence: '' }
    expect(whyWords(german, why, (name) => name)).toBe(
      `Es kam zum Gespräch mit ${party('+41795550133')}, und eine Seite legte auf.`,
    )
  })

  test('the reader whose own phone was not reached is spoken to', () => {
    const params = { to: 'Paul', number: null, sip: null, is_yours: true }
    const why = { code: 'own_phone_not_reached', params, sentence: '' }
    expect(whyWords(german, why, (name) => name)).toBe(
      'Ihr eigenes Telefon war nicht erreichbar, darum kam der Anruf nicht zustande.',
    )
  })

  test('a note of a missed call is said in German, with the number as it is written', () => {
    const note = (text: string) =>
      momentWords(german, { title: 'note', params: { text }, sentence: text }, (name) => name)
    expect(note('Missed call from +41445550142. For: Eve Fischer.')).toBe(
      `Verpasster Anruf von ${party('+41445550142')}. Für: Eve Fischer.`,
    )
    expect(note('Missed call from a withheld number. For: Eve Fischer, Gus Hill.')).toBe(
      'Verpasster Anruf von einer unterdrückten Nummer. Für: Eve Fischer, Gus Hill.',
    )
    expect(note('They call again.')).toBe('They call again.')
  })

  test('what is done only without input says so once', () => {
    const say = (each: string) => english[each] ?? ''
    const [asks, leaves] = [
      { verb: 'Gather', text: '' },
      { verb: 'Record', text: '', isWithoutInput: true },
    ]
    const params = { steps: [asks, leaves, { verb: 'Hangup', text: '' }] }
    expect(momentWords(say as never, { title: 'call_arrives', params, sentence: '' }, (name) => name)).toBe(
      'Call received → waits for input → no input → recording → hangs up',
    )
  })

  test('what has no words yet is said in the English of the service', () => {
    expect(
      momentWords(
        ((key: string) => key) as never,
        { title: 'new', params: {}, sentence: 'It is new.' },
        (name) => name,
      ),
    ).toBe('It is new.')
  })
})

test('an error of a call is said in words by its code, and any other as it came', () => {
  const english = JSON.parse(readFileSync('web/words/en/story.json', 'utf8')) as Record<string, string>
  const say = (each: string) => english[each] ?? ''
  const ended = (error: string) =>
    momentWords(
      say as never,
      { title: 'leg_ended', params: { to: 'Ann', status: 'failed', error }, sentence: '' },
      (name) => name,
    )
  expect(ended('13224 Dial: Invalid phone number')).toBe(
    "Ann: failed: error 13224, Twilio can't reach this number, or it isn't valid",
  )
  expect(ended('13999 Something new')).toBe('Ann: failed: error 13999 Something new')
  wordLabels({ error: 'Fehler', "the SIP phone isn't signed in": 'das SIP-Telefon ist nicht angemeldet' })
  try {
    expect(callErrorWords('error 32009 User not registered')).toBe('Fehler 32009, das SIP-Telefon ist nicht angemeldet')
  } finally {
    wordLabels({})
  }
})

test.each([
  ['11200', 'Twilio bekam keine brauchbare Antwort von Connect oder einer anderen Adresse im Anruf'],
  ['11205', 'Twilio konnte Connect oder eine andere Adresse im Anruf nicht erreichen'],
  ['12300', 'Twilio bekam einen Inhalt, den es nicht verwenden kann'],
  ['13224', 'Twilio kann diese Nummer nicht erreichen, oder sie ist ungültig'],
  ['13226', 'die Landesvorwahl der Nummer gibt es nicht'],
  ['13227', 'das Konto bei Twilio darf dieses Land oder solche Nummern dort nicht anrufen'],
])('the code %s says no more than the page of the provider, in German too', (code, words) => {
  wordLabels(JSON.parse(readFileSync('web/words/de/fields.json', 'utf8')))
  try {
    expect(callErrorWords(`${code} As it came`)).toBe(`${code}, ${words}`)
  } finally {
    wordLabels({})
  }
})
