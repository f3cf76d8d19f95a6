import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkMarkup } from '../../../src/telco/markup/check.ts'
import { parseMarkup } from '../../../src/telco/markup/parse.ts'
import { legalText, MARKUP_BYTES_MAX, MarkupTooLargeError, renderMarkup, verb } from '../../../src/telco/markup/verb.ts'
import {
  gather,
  hangup,
  INVALID_REQUEST_MARKUP,
  pause,
  play,
  recordVoicemail,
  redirect,
  say,
} from '../../../src/telco/markup/voice.ts'
import { anyCharacter } from '../../support/any-text.ts'

/** Hints that the provider listens for, and their length (https://www.twilio.com/docs/api/errors/13330). */
const [HINTS_MAX, HINT_CHARS_MAX] = [500, 100]
const ACTION = 'https://pbx.example.com/telco/webhook/callaction#e=ashburn'

describe('sentences that other parties match on', () => {
  test.each([
    [INVALID_REQUEST_MARKUP, '<Response><Say>Invalid Telco request!</Say></Response>'],
    [renderMarkup([]), '<Response/>'],
    [renderMarkup([hangup()]), '<Response><Hangup/></Response>'],
    [renderMarkup([say('Number not found. Goodbye!')]), '<Response><Say>Number not found. Goodbye!</Say></Response>'],
    [
      renderMarkup([say('Hallo', { language: 'de-DE', voice: 'Woman' }), hangup()]),
      '<Response><Say language="de-DE" voice="woman">Hallo</Say><Hangup/></Response>',
    ],
    [renderMarkup([say('x', { language: '', voice: undefined })]), '<Response><Say>x</Say></Response>'],
    [
      renderMarkup([say('x', { language: 'pl-PL', voice: 'Woman' })]),
      '<Response><Say language="pl-PL" voice="Google.pl-PL-Standard-A">x</Say></Response>',
    ],
  ])('%s', (markup, expected) => {
    expect(markup).toBe(expected)
    expect(checkMarkup(markup)).toEqual([])
  })
})

test('a voicemail is recorded with an action that ends the call', () => {
  const statusCallback = 'https://pbx.example.com/telco/webhook/vm_recordingstatus#e=ashburn'
  const markup = renderMarkup([pause(), say('Leave a message.'), recordVoicemail({ action: ACTION, statusCallback })])
  expect(markup).toBe(
    '<Response><Pause length="1"/><Say>Leave a message.</Say>' +
      `<Record maxLength="120" finishOnKey="#" playBeep="true" recordingStatusCallback="${statusCallback}" action="${ACTION}"/>` +
      '</Response>',
  )
  expect(checkMarkup(markup, { absoluteUrls: true })).toEqual([])
})

describe('gathering', () => {
  const options = { action: ACTION, timeoutSeconds: 5, digits: 1, hints: 'sales, support', language: 'en-US' }

  test('digits takes no speech hints', () => {
    expect(renderMarkup([gather({ ...options, input: 'dtmf' }, [say('Press 1.')]), hangup()])).toBe(
      `<Response><Gather action="${ACTION}" method="POST" timeout="5" numDigits="1" input="dtmf" language="en-US">` +
        '<Say>Press 1.</Say></Gather><Hangup/></Response>',
    )
  })

  test.each(['speech', 'dtmf speech'] as const)('%s takes them, unless they are blank', (input) => {
    expect(gather({ ...options, input }, []).attributes.hints).toBe('sales, support')
    expect(gather({ ...options, input, hints: '  ' }, []).attributes.hints).toBeUndefined()
  })

  test('drops hints that the provider would not listen for, and as many as are too many', () => {
    const long = 'x'.repeat(HINT_CHARS_MAX + 1)
    const hintsOf = (hints: string) => gather({ ...options, input: 'speech', hints }, []).attributes.hints
    expect(hintsOf(`sales, ${long}, support`)).toBe('sales, support')
    expect(hintsOf(long)).toBeUndefined()
    expect(String(hintsOf('yes,'.repeat(HINTS_MAX + 1))).split(',')).toHaveLength(HINTS_MAX)
  })
})

test('an address with several query parameters is escaped, and read back whole', () => {
  const url = 'https://pbx.example.com/x?a=1&b="2"#e=ashburn'
  const markup = renderMarkup([play(url), redirect(url)])
  const parsed = parseMarkup(markup)
  expect('elements' in parsed && parsed.elements.map(({ text }) => text)).toEqual(['', url, url])
  expect(checkMarkup(markup)).toEqual([])
})

test('a document that the provider would not accept is refused', () => {
  const frame = '<Response><Say></Say></Response>'.length
  expect(Buffer.byteLength(renderMarkup([say('x'.repeat(MARKUP_BYTES_MAX - frame))]))).toBe(MARKUP_BYTES_MAX)
  expect(() => renderMarkup([say('x'.repeat(MARKUP_BYTES_MAX - frame + 1))])).toThrow(MarkupTooLargeError)
  expect(() => renderMarkup([say('☎'.repeat(MARKUP_BYTES_MAX / 3))])).toThrow(MarkupTooLargeError)
})

describe('whatever the texts are', () => {
  const anyText = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 40 }),
    fc.constantFrom(
      '\u0000',
      '\ud800',
      '\udc00x',
      '\uFFFE',
      '\u000b',
      ']]>',
      '<![CDATA[',
      '&amp;',
      '<!--',
      '\r\n',
      '😀',
    ),
  )

  test('the provider can read the document, and hears the same but for what XML cannot carry', () => {
    fc.assert(
      fc.property(anyText, anyText, (text, attribute) => {
        const markup = renderMarkup([verb('Say', { voice: attribute, language: [attribute, 'b'] }, [text])])
        const parsed = parseMarkup(markup)
        if (!('elements' in parsed)) throw new Error(`${parsed.problem}: ${markup}`)
        const [, said] = parsed.elements
        expect(said?.text).toBe(legalText(text))
        expect(said?.attributes.voice).toBe(legalText(attribute))
      }),
      { numRuns: 500 },
    )
  })

  test('only what XML cannot carry is dropped', () => {
    expect(legalText('a\u0000b\u001fc\ud800d\uFFFEe\uFFFFf')).toBe('abcdef')
    expect(legalText('tab\t line\n é ☎ 😀 \u007f')).toBe('tab\t line\n é ☎ 😀 \u007f')
  })
})
