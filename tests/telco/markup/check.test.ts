import fc from 'fast-check'
import VoiceResponse from 'twilio/lib/twiml/VoiceResponse.js'
import { describe, expect, test } from 'vitest'
import { checkMarkup } from '../../../src/telco/markup/check.ts'
import { parseMarkup } from '../../../src/telco/markup/parse.ts'
import { MARKUP_BYTES_MAX } from '../../../src/telco/markup/verb.ts'
import { anyCharacter } from '../../support/any-text.ts'

const inResponse = (xml: string) => checkMarkup(`<Response>${xml}</Response>`)

describe('good markup has no problems', () => {
  test.each([
    '<?xml version="1.0" encoding="UTF-8"?><Response><Say>Invalid Telco request!</Say></Response>',
    '<?xml version="1.0" encoding="UTF-8"?><Response><Gather input="dtmf speech" action="https://x/telco/webhook/callflow/7/gather" numDigits="1" timeout="5" actionOnEmptyResult="true"><Say>Press 1 for sales.</Say></Gather></Response>',
    '<?xml version="1.0" encoding="UTF-8"?><Response><Dial action="https://x/telco/webhook/connect.telco.exten/call_action/5" answerOnBridge="true" timeout="25" callerId="+14155550199" record="record-from-answer-dual" recordingStatusCallback="https://x/telco/webhook/recordingstatus"><Client statusCallback="https://x/telco/webhook/callstatus" statusCallbackEvent="initiated answered completed">user_7</Client><Number statusCallback="https://x/telco/webhook/callstatus" statusCallbackEvent="initiated answered completed">+14155550177</Number></Dial></Response>',
    '<?xml version="1.0" encoding="UTF-8"?><Response><Say>Leave a message.</Say><Record action="https://x/telco/webhook/callaction" recordingStatusCallback="https://x/telco/webhook/vm_recordingstatus" maxLength="120" finishOnKey="#"/></Response>',
    '<Response/>',
    '<Response>\n  <!-- a note -->\n  <Say voice="woman"><![CDATA[a < b]]> <emphasis level="strong">now</emphasis> <break time="1s"/></Say>\n</Response>',
    '<Response><Connect action="/x"><Stream url="wss://media.example.com/a"><Parameter name="a" value="b"/></Stream></Connect></Response>',
    '<Response><Start><Recording recordingStatusCallback="https://x/y"/></Start><Dial>+14155550100</Dial><Redirect method="POST">/next</Redirect></Response>',
    '<Response><Reject reason="busy"/></Response>',
    '<Response><Play loop="0" digits="w1"/><Play>/hello.mp3</Play></Response>',
    '<Response><Refer action="/x"><Sip>sip:a@b</Sip></Refer></Response>',
    '<Response><Pay paymentConnector="main" chargeAmount="20.45"><Prompt for="security-code" attempt="1"><Say>Code?</Say></Prompt></Pay></Response>',
    '<Response><Connect><ConversationRelay url="wss://ai.example.com/x" welcomeGreeting="Hi"><Language code="pl-PL"/></ConversationRelay></Connect></Response>',
    '<Response><Start><Transcription statusCallbackUrl="/t" languageCode="de-DE"/><Siprec name="a"/></Start><Echo/></Response>',
    '<Response><Enqueue workflowSid="WW1"><Task priority="5">{}</Task></Enqueue></Response>',
    '<Response><Gather action="/x" finishOnKey=""/><Enqueue>sales</Enqueue><Leave/></Response>',
  ])('%s', (xml) => {
    expect(checkMarkup(xml)).toEqual([])
  })
})

describe('what is no XML the provider reads is told with its place', () => {
  test.each([
    ['a bare ampersand in an address', '<Response><Redirect>https://x/?a=1&b=2</Redirect></Response>'],
    ['a bare ampersand in an attribute', '<Response><Say voice="a&b=2">x</Say></Response>'],
    ['an unknown entity', '<Response><Say>&nbsp;</Say></Response>'],
    ['a control character', '<Response><Say>\u0001</Say></Response>'],
    ['a tag that is not closed', '<Response><Say>x</Response>'],
    ['an attribute twice', '<Response><Say voice="a" voice="b"/></Response>'],
    ['two documents', '<Response/><Response/>'],
    ['text after the end', '<Response/>x'],
    ['something before the declaration', ' <?xml version="1.0"?><Response/>'],
    ['an attribute without quotes', '<Response><Pause length=1/></Response>'],
    ['nothing', ''],
    ['plain text', 'Hello'],
    ['a document type', '<!DOCTYPE r [<!ENTITY a "b">]><Response/>'],
    ['a processing instruction', '<Response><?php echo 1 ?></Response>'],
  ])('%s', (_name, xml) => {
    const problems = checkMarkup(xml)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(/^Line \d+(?:, column \d+)?: .*\.$/)
  })

  test('entities are never expanded', () => {
    const bomb = '<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><Response><Say>&b;</Say></Response>'
    expect(parseMarkup(bomb)).toHaveProperty('problem')
  })
})

describe('each mistake is named', () => {
  test.each([
    ['an unknown verb', '<Speak>x</Speak>', '<Speak> is unknown'],
    ['a verb in other letters', '<say>x</say>', 'it is written Say'],
    ['an unknown attribute', '<Say tone="x">x</Say>', '<Say> has no attribute tone'],
    ['an attribute in other letters', '<Dial callerID="+1">+1</Dial>', 'it is written callerId'],
    ['a verb inside another', '<Say><Play>/x</Play></Say>', '<Play> may not stand in <Say>'],
    ['a dial inside a gather', '<Gather action="/x"><Dial>+1</Dial></Gather>', '<Dial> may not stand in <Gather>'],
    ['a nested record', '<Gather action="/x"><Record action="/y"/></Gather>', '<Record> may not stand in <Gather>'],
    ['a noun as a verb', '<Number>+1</Number>', '<Number> may not stand in <Response>'],
    ['a gather without action', '<Gather><Say>x</Say></Gather>', '<Gather> has no action'],
    ['a record without action', '<Record/>', '<Record> has no action'],
    ['a query after the fragment', '<Redirect>https://x/y#e=a?b=1</Redirect>', 'query after the fragment'],
    ['the same in an attribute', '<Dial action="/x#e=a?b=1">+1</Dial>', 'query after the fragment'],
    ['a dangerous address', '<Redirect>javascript:alert(1)</Redirect>', 'http or https'],
    ['a broken address', '<Play>https://</Play>', 'http or https'],
    ['an address with blanks', '<Play>/a b</Play>', 'without blanks'],
    ['no address', '<Redirect/>', 'names no address'],
    ['a socket that is none', '<Connect><Stream url="https://x"/></Connect>', 'wss://'],
    ['a wrong number', '<Dial timeout="3">+1</Dial>', 'whole number from 5 to 600'],
    ['no number', '<Pause length="long"/>', 'whole number'],
    ['a wrong word', '<Reject reason="tired"/>', 'rejected, busy'],
    ['a wrong method', '<Gather action="/x" method="PUT"/>', 'GET, POST'],
    ['an unknown event', '<Dial><Sip statusCallbackEvent="answered hungup">sip:a@b</Sip></Dial>', 'may only hold'],
    ['a wrong truth', '<Record action="/x" playBeep="yes"/>', 'true or false'],
    ['stray text', 'Hello', '<Response> may hold no text'],
    ['a dial of both', '<Dial>+1<Number>+2</Number></Dial>', 'a number and nouns'],
    ['an empty noun', '<Dial><Number> </Number></Dial>', '<Number> is empty'],
    ['a late reject', '<Say>x</Say><Reject/>', 'only works as the first verb'],
    ['what never runs', '<Hangup/><Say>x</Say>', '<Say> never runs: <Hangup>'],
    ['what never runs after a dial', '<Dial action="/x">+1</Dial><Say>x</Say>', '<Say> never runs: <Dial>'],
    ['attributes of a referred address', '<Refer><Sip url="/x">sip:a@b</Sip></Refer>', '<Sip> has no attribute url'],
    [
      'an attribute that only sounds right',
      '<Dial><Client clientNotificationUrl="/x">a</Client></Dial>',
      '<Client> has no attribute clientNotificationUrl',
    ],
    ['a long hint', `<Gather action="/x" hints="a, ${'b'.repeat(101)}"/>`, 'hints of at most 100 characters'],
    ['too many nouns', `<Dial>${'<Number>+1</Number>'.repeat(11)}</Dial>`, 'rings 11 at once'],
  ])('%s', (_name, xml, expected) => {
    const problems = inResponse(xml)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(expected)
    expect(problems[0]).toMatch(/^Line 1: /)
  })

  test('names a document with another root', () => {
    expect(checkMarkup('<Say>x</Say>')).toEqual(['Line 1: the document must be one <Response>, not <Say>.'])
  })

  test('several at once, each with its line', () => {
    const xml = '<Response>\n<Speak/>\n<Pause length="x"/>\n</Response>'
    expect(checkMarkup(xml).map((problem) => problem.slice(0, 7))).toEqual(['Line 2:', 'Line 3:'])
  })

  test('relative addresses, when the document is handed over inline', () => {
    const xml = '<Response><Dial action="/x">+1</Dial></Response>'
    expect(checkMarkup(xml)).toEqual([])
    expect(checkMarkup(xml, { absoluteUrls: true })).toEqual(['Line 1: action of <Dial> must be an absolute address.'])
  })

  test('a document over the limit, without reading it', () => {
    expect(checkMarkup('<'.repeat(MARKUP_BYTES_MAX + 1))).toEqual([
      `The document has ${MARKUP_BYTES_MAX + 1} bytes, the provider accepts ${MARKUP_BYTES_MAX}.`,
    ])
  })
})

test('deep and broad documents are checked within the limits', () => {
  const deep = '<a>'.repeat(9000)
  expect(checkMarkup(deep + deep.replaceAll('<', '</'))).toHaveLength(50)
  expect(inResponse('<Hangup/>'.repeat(7000))).toHaveLength(50)
})

test('what the builder of the provider writes is known here', () => {
  const response = new VoiceResponse()
  const gather = response.gather({ action: '/g', input: ['dtmf', 'speech'], speechTimeout: 'auto', bargeIn: true })
  gather.say({ voice: 'Polly.Amy', language: 'en-GB', loop: 2 }, 'Hello')
  gather.pause({ length: 2 })
  const dial = response.dial({ answerOnBridge: true, hangupOnStar: true, ringTone: 'ch', recordingTrack: 'both' })
  dial.client({ statusCallbackEvent: ['ringing'] }).identity('alice')
  dial.number({ sendDigits: 'ww12', machineDetection: 'Enable' }, '+14155550100')
  dial.sip({ username: 'a', password: 'b' }, 'sip:a@b;transport=tls?X-A=b')
  dial.whatsApp({ statusCallback: 'https://x/y' }, '+14155550100')
  response.enqueue({ waitUrl: '/w' }, 'support')
  response.record({ action: '/r', transcribe: false, recordingStatusCallbackEvent: ['completed', 'absent'] })
  expect(checkMarkup(response.toString())).toEqual([])
})

test('any text is checked without an error', () => {
  const piece = fc.constantFrom(
    '<Response>',
    '</Response>',
    '<Say>',
    '</Say>',
    '<Dial a="',
    '"/>',
    '&',
    ']]>',
    '<!--',
    'x',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: anyCharacter }),
        fc.array(piece).map((all) => all.join('')),
      ),
      (xml) => {
        expect(Array.isArray(checkMarkup(xml, { absoluteUrls: true }))).toBe(true)
      },
    ),
    { numRuns: 500 },
  )
})
