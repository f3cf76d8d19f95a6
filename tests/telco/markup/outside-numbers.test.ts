// Anyone who fills a document in, a caller perhaps, writes a number in any way: a barred one is seen in each of them.
import { expect, test } from 'vitest'
import { outsideNumbers } from '../../../src/telco/markup/outside-numbers.ts'
import { isBarred } from '../../../src/telco/outgoing/outgoing-limits.ts'

const SETTINGS = { barredPrefixes: ['+41900', '+1900', '+881'] }

test.each([
  '+41900123456',
  '0041900123456',
  '01141900123456',
  '+01141900123456',
  '+0041900123456',
  '41900123456',
  ' +41 (900) 12-34.56 ',
  '+41/900/123456',
  '+41 (0)900 123456',
  '+410900123456',
  '\uff0b\uff14\uff11\uff19\uff10\uff10123456',
  '+41\u200b900\u00a0123456',
  'tel:+41900123456',
  'WhatsApp:+41900123456',
  '9005550100',
  '(900) 555-0100',
  '1 900 555 0100',
  '00881612345678',
])('the barred number %j is seen in a document that calls or writes to it', (number) => {
  const called = outsideNumbers(
    `<Response><Dial>${number}</Dial><Dial><Number>${number}</Number></Dial><Message to="${number}">Hi</Message></Response>`,
  )
  for (const found of [called.called, called.writtenTo]) {
    expect(found.map((each) => isBarred(SETTINGS, each))).not.toContain(false)
    expect(found).not.toEqual([])
  }
})

test.each(['+41441234567', '0041441234567', '+14155550100', '+4190', '+8613812345678'])(
  'the number %j is barred in no form',
  (number) => {
    const { called } = outsideNumbers(`<Response><Dial>${number}</Dial></Response>`)
    expect(called.map((each) => isBarred(SETTINGS, each))).toEqual([false])
  },
)
