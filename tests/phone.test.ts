import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asWrittenToday, conversationNumber, formsOfSubscriber } from '../src/number-plans.ts'
import { ADDRESS_CHARS_MAX, bareAddress, formsOf, toE164 } from '../src/phone.ts'

const codeUnits = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
  .map((units) => String.fromCharCode(...units))

describe('bareAddress', () => {
  it.each([
    ['+41313808316', '+41313808316'],
    ['  +41313808316 ', '+41313808316'],
    ['whatsapp:+41795000992', '+41795000992'],
    ['WhatsApp: +41795000992', '+41795000992'],
    ['sip:+41313808316@pbx.example.com', '+41313808316'],
    ['sip:+41313808316@pbx.example.com:5061;transport=tls', '+41313808316'],
    ['sips:alice@pbx.example.com', 'alice'],
    ['SIP:Alice@pbx.example.com?X-Ref=1', 'Alice'],
    ['sip:+41313808316;npdi=yes@pbx.example.com;user=phone', '+41313808316'],
    ['sip:alice:secret@pbx.example.com', 'alice'],
    ['sip:%2B41313808316@pbx.example.com', '+41313808316'],
    ['"Alice B" <sip:alice@pbx.example.com>;tag=7', 'alice'],
    ['client:alice', 'alice'],
    ['client:12345678', '12345678'],
    ['client:alice@pbx.example.com', 'alice'],
    ['tel:+41-31-380-83-16;phone-context=example.com', '+41-31-380-83-16'],
    ['alice@pbx.example.com', 'alice'],
    ['101:5060', '101'],
    ['101', '101'],
    ['anonymous', 'anonymous'],
    ['sip:@pbx.example.com', ''],
    ['', ''],
  ])('reads %j as %j', (raw, address) => {
    expect(bareAddress(raw)).toBe(address)
  })

  it('bareAddress never throws, looks at a bounded part and leaves no host or parameters', () => {
    fc.assert(
      fc.property(codeUnits, (text) => {
        const address = bareAddress(text)
        expect(address).not.toMatch(/[@;?:]/)
        expect(address).toBe(address.trim())
      }),
    )
    expect(bareAddress('9'.repeat(100_000))).toHaveLength(ADDRESS_CHARS_MAX)
  })
})

describe('toE164', () => {
  it.each([
    // national
    ['0313808316', 'CH', '+41313808316'],
    // On WhatsApp, the country is in front of every number.
    ['whatsapp:41795550175', 'DE', '+41795550175'],
    ['whatsapp:079 555 01 75', 'CH', '+41795550175'],
    ['+0041 79 555 01 75', 'DE', '+41795550175'],
    ['00+41 79 555 01 75', 'DE', '+41795550175'],
    ['tel:079-555-0175;phone-context=+41', 'DE', '+41795550175'],
    ['tel:555-0175;phone-context=+1415', 'CH', '+14155550175'],
    ['079 500 09 92', 'CH', '+41795000992'],
    ['(031) 380.83.16', 'CH', '+41313808316'],
    ['031/380-83-16', 'ch', '+41313808316'],
    ['795000992', 'CH', '+41795000992'],
    ['555-010-0001', 'US', '+15550100001'],
    ['(415) 555-0100', 'US', '+14155550100'],
    ['1 (415) 555-0100', 'US', '+14155550100'],
    ['06 1234 5678', 'IT', '+390612345678'],
    ['+41 (0)31 380 83 16', 'CH', '+41313808316'],
    ['+1 (0) 415/5550210', undefined, '+14155550210'],
    ['+39 (0)6 1234 5678', undefined, '+390612345678'],
    ['392 123 4567', 'IT', '+393921234567'],
    ['390 612 3456', 'IT', '+393906123456'],
    ['0176 12345678', 'DE', '+4917612345678'],
    ['020 7946 0000', 'GB', '+442079460000'],
    ['8 (495) 123-45-67', 'RU', '+74951234567'],
    // international
    ['+41 31 380 83 16', 'US', '+41313808316'],
    ['+41 (0)31 380 83 16', undefined, '+41313808316'],
    ['+1 555 010 0001', 'CH', '+15550100001'],
    ['+15550100002', undefined, '+15550100002'],
    ['+41313808316 ext. 12', undefined, '+41313808316'],
    ['+80012345678', undefined, '+80012345678'],
    ['＋４１３１３８０８３１６', undefined, '+41313808316'],
    // the 1 that Mexican mobile numbers had until 2019, and still have on WhatsApp
    ['+5215512345678', undefined, '+525512345678'],
    ['whatsapp:+52 1 55 1234 5678', 'CH', '+525512345678'],
    ['005215512345678', 'MX', '+525512345678'],
    ['5215512345678', 'MX', '+525512345678'],
    ['+52 155 123 4567', undefined, '+521551234567'],
    // the double zero, also where the country dials abroad in another way
    ['0041313808316', 'CH', '+41313808316'],
    ['00 41 31 380 83 16', 'US', '+41313808316'],
    ['(00)41 31 380 83 16', undefined, '+41313808316'],
    ['0041313808316', 'JP', '+41313808316'],
    ['011 41 31 380 83 16', 'US', '+41313808316'],
    ['0011 41 31 380 83 16', 'AU', '+41313808316'],
    // addresses
    ['whatsapp:+15550100001', 'CH', '+15550100001'],
    ['sip:+41313808316@pbx.example.com', 'US', '+41313808316'],
    ['sip:0313808316@pbx.example.com;transport=tls', 'CH', '+41313808316'],
    ['tel:+41-31-380-83-16', undefined, '+41313808316'],
    // a trunk that leaves the plus off
    ['41313808316', 'CH', '+41313808316'],
    ['41313808316', 'US', '+41313808316'],
    ['41313808316', undefined, '+41313808316'],
    ['14155550100', 'CH', '+14155550100'],
    ['15550100001', 'CH', '+15550100001'],
    ['sip:14155550100@trunk.example.com', 'CH', '+14155550100'],
    ['4917612345678', 'DE', '+4917612345678'],
    ['436641234567', 'AT', '+436641234567'],
    ['390612345678', 'IT', '+390612345678'],
    ['79161234567', 'RU', '+79161234567'],
    ['4930123456', 'GB', '+4930123456'],
    // a country that does not exist is no country
    ['+41313808316', 'XX', '+41313808316'],
    ['41313808316', '__proto__', '+41313808316'],
    // what can be read as national is national, even where another reading exists
    ['41313808316', 'DE', '+4941313808316'],
  ])('reads %j in %s as %s', (raw, country, number) => {
    expect(toE164(raw, country)).toBe(number)
  })

  it.each([
    ['', 'CH'],
    [null, 'CH'],
    [undefined, 'CH'],
    ['   ', 'CH'],
    ['anonymous', 'CH'],
    ['Restricted', 'US'],
    ['unknown', undefined],
    ['alice', 'CH'],
    ['sip:alice@pbx.example.com', 'CH'],
    ['alice12345678', 'CH'],
    ['client:alice0313808316', 'CH'],
    ['call 0313808316', 'CH'],
    ['101', 'CH'],
    ['101', 'DE'],
    ['1010', 'DE'],
    ['72345', 'DE'],
    ['sip:101@pbx.example.com', 'DE'],
    ['0', 'CH'],
    ['+', 'CH'],
    ['++41313808316', 'CH'],
    ['+0313808316', 'CH'],
    ['0313808316', undefined],
    ['0313808316', 'XX'],
    ['5550100', 'US'],
    ['4915551', 'US'],
    ['+266696687', undefined],
    ['+123', undefined],
    ['+4912345678901234567', undefined],
    ['+4930123456789012', undefined],
    [`+41${'3'.repeat(50)}`, 'CH'],
  ])('finds no number in %j (%s)', (raw, country) => {
    expect(toE164(raw, country)).toBeUndefined()
  })

  it('toE164 does not look for a number in a text of unreasonable length', () => {
    expect(toE164('9'.repeat(100_000), 'CH')).toBeUndefined()
    expect(toE164(`+41313808316${' '.repeat(100_000)}`, 'CH')).toBeUndefined()
    expect(toE164('sip:'.repeat(50_000), 'CH')).toBeUndefined()
  })

  it.each([
    // what nobody sees, and what only looks like a blank or a dash
    ['\u202a+41 79 555 01 74\u202c', 'DE', '+41795550174'],
    ['\u200e+41795550174\u200f', 'DE', '+41795550174'],
    ['\u2066+41795550174\u2069', 'DE', '+41795550174'],
    ['\ufeff0\u200b79\u200d5550174\u00ad', 'CH', '+41795550174'],
    ['+41\u202f79\u00a0555\u200901\u300074', 'US', '+41795550174'],
    ['+41\u201179\u2013555\u221201\u201474', 'US', '+41795550174'],
    ['\u0660\u0667\u0669\u0665\u0665\u0665\u0660\u0661\u0667\u0664', 'CH', '+41795550174'],
    ['sip:\u200e+41795550174@pbx.example.com', 'US', '+41795550174'],
    // what stands around it
    ['(+41) 79 555 01 74', 'US', '+41795550174'],
    ['+(41) 79 555 01 74', 'US', '+41795550174'],
    ['(0041) 79 555 01 74', 'US', '+41795550174'],
    ["'+41795550174", 'US', '+41795550174'],
    ['="+41795550174"', 'US', '+41795550174'],
    ['Tel. 079 555 01 74', 'CH', '+41795550174'],
    ['Phone: +41 79 555 01 74', 'US', '+41795550174'],
    ['Mobile (work): +41 79 555 01 74', 'US', '+41795550174'],
    ['Téléphone portable : +41 79 555 01 74', 'US', '+41795550174'],
    ['M +41 79 555 01 74', 'US', '+41795550174'],
    ['+41 79 555 01 74 (mobile)', 'US', '+41795550174'],
    ['+41 79 555 01 74 [privat]', 'US', '+41795550174'],
    ['+41 79 555 01 74, Büro', 'US', '+41795550174'],
    ['whatsapp: +41 79 555 01 74', 'US', '+41795550174'],
    ['rcs:+41795550174', 'US', '+41795550174'],
    ['(+41 79) 555 01 74', 'US', '+41795550174'],
    ['\u00ab+41795550174\u00bb', 'US', '+41795550174'],
    ['\u{1f4de} +41 79 555 01 74', 'US', '+41795550174'],
    ['\u260e\ufe0f 079 555 01 74', 'CH', '+41795550174'],
    ['Rufnummer 079 555 01 74', 'CH', '+41795550174'],
    ['N\u00b0 de t\u00e9l. 079 555 01 74', 'CH', '+41795550174'],
    ['Phone #: (415) 555-0100', 'US', '+14155550100'],
    ['\u7535\u8bdd\uff1a+41 79 555 01 74', 'US', '+41795550174'],
    ['\u0442\u0435\u043b 079 555 01 74', 'CH', '+41795550174'],
    ['TEL;TYPE=CELL:+41795550174', 'US', '+41795550174'],
    ['tel://+41795550174', 'US', '+41795550174'],
    ['https://wa.me/41795550174?text=Hi', 'US', '+41795550174'],
    ['api.whatsapp.com/send?phone=41795550174', 'US', '+41795550174'],
    // other digits, and what else stands between them
    ['\u0966\u096d\u096f \u096b\u096b\u096b \u0966\u0967 \u096d\u096a', 'CH', '+41795550174'],
    ['\u0e50\u0e57\u0e59\u0e55\u0e55\u0e55\u0e50\u0e51\u0e57\u0e54', 'CH', '+41795550174'],
    ["079'555'01'74", 'CH', '+41795550174'],
    ['079\u00b7555\u00b701\u00b774', 'CH', '+41795550174'],
    ['079_555_01_74', 'CH', '+41795550174'],
    ['0711\u2044123456', 'DE', '+49711123456'],
    // without the extension
    ['+41 31 380 83 16 (Durchwahl 12)', 'US', '+41313808316'],
    ['+41 31 380 83 16 x5', 'US', '+41313808316'],
    ['+41 31 380 83 16 Durchwahl 12', 'US', '+41313808316'],
    ['tel:+41-31-380-83-16;ext=5', 'US', '+41313808316'],
    ['+41313808316,,5#', 'US', '+41313808316'],
    // the first of several
    ['+41 79 555 01 74 / +41 31 380 83 16', 'US', '+41795550174'],
    ['079 555 01 74, 031 380 83 16', 'CH', '+41795550174'],
    ['079 555 01 74\n031 380 83 16', 'CH', '+41795550174'],
    ['+41\n79 555 01 74', 'US', '+41795550174'],
    ['031 380 83 16 / 17', 'CH', '+41313808316'],
    ['079 555 01 74 oder 031 380 83 16', 'CH', '+41795550174'],
    ['0711/123456', 'DE', '+49711123456'],
    // as a spreadsheet has it
    ['41795550175.0', 'CH', '+41795550175'],
    ['41795550175.0', 'DE', '+41795550175'],
    ['4.1795550175e10', 'DE', '+41795550175'],
    ['4,1795550175E+10', 'DE', '+41795550175'],
    ['4155550100.0', 'US', '+14155550100'],
    ['795550175.0', 'CH', '+41795550175'],
    // old forms
    ['+55 11 8765-4321', 'CH', '+5511987654321'],
    ['(11) 8765-4321', 'BR', '+5511987654321'],
    ['+55 11 3765-4321', 'CH', '+551137654321'],
    ['whatsapp:+556196665555', 'CH', '+5561996665555'],
    ['+225 07 12 34 56', 'CH', '+2250707123456'],
    ['07 12 34 56', 'CI', '+2250707123456'],
    ['05 12 34 56', 'CI', '+2250505123456'],
    ['+225 20 21 22 23', 'CH', '+2252720212223'],
    ['+229 97 12 34 56', 'CH', '+2290197123456'],
    ['97123456', 'BJ', '+2290197123456'],
    // Argentina, with the 9 from abroad and the 15 or the 0 of home
    ['+54 9 11 15 5555-1234', 'CH', '+5491155551234'],
    ['+54 9 351 15 555-1234', 'CH', '+5493515551234'],
    ['+54 9 2966 15 55-1234', 'CH', '+5492966551234'],
    ['0054 9 11 15 5555 1234', 'CH', '+5491155551234'],
    ['54 9 11 15 5555-1234', 'CH', '+5491155551234'],
    ['whatsapp:+54 9 011 15 5555-1234', 'CH', '+5491155551234'],
    ['+54 9 011 5555-1234', 'CH', '+5491155551234'],
    ['9 11 15 5555-1234', 'AR', '+5491155551234'],
    ['+54 9 2966 15 5512', 'CH', '+5492966155512'],
    // Mexico and Brazil, with what is or was dialled at home
    ['044 55 1234 5678', 'MX', '+525512345678'],
    ['01 55 1234 5678', 'MX', '+525512345678'],
    ['+52 045 55 1234 5678', 'CH', '+525512345678'],
    ['+52 1 044 55 1234 5678', 'CH', '+525512345678'],
    ['(0xx11) 98765-4321', 'BR', '+5511987654321'],
    ['+55 (0XX11) 98765-4321', 'CH', '+5511987654321'],
    // a country without a digit before its numbers has short ones
    ['262966', 'FO', '+298262966'],
    ['800 123', 'AE', '+971800123'],
    ['0262966', 'DE', '+49262966'],
  ])('reads %j in %s as %s, as people and programs write it', (raw, country, number) => {
    expect(toE164(raw, country)).toBe(number)
    expect(formsOf(raw, country).map(({ e164 }) => e164)).toContain(number)
  })

  it.each([
    ['262966', 'DE'],
    ['123456', 'AT'],
    ['116117', 'DE'],
    ['116 000', 'AT'],
    ['116123', 'NL'],
    ['116117', 'AD'],
    ['118118', 'DE'],
    ['19 22 22', 'DE'],
    ['262966', 'SE'],
    ['079 555 01 74', 'US'],
    ['+1 079 555 0174', 'CH'],
    // rounded: the digits are gone
    ['4.17956e+10', 'CH'],
    ['4.1795550175e9', 'CH'],
    ['ADAC', 'DE'],
    ['Call me', 'CH'],
    ['messenger:4179555017412', 'CH'],
    ['US.13491208655302741918', 'US'],
  ])('finds no number in %j (%s), which only looks like one', (raw, country) => {
    expect(toE164(raw, country)).toBeUndefined()
  })

  const country = fc.constantFrom(undefined, 'CH', 'US', 'DE', 'IT', 'MD', 'JP', 'AU', 'XX', '', 'constructor')

  it('toE164 never throws, whatever the text', () => {
    const digitsAndMarks = fc.string({ unit: fc.constantFrom(...'0123456789+ -().:;@<>%/x') })
    fc.assert(
      fc.property(fc.oneof(codeUnits, digitsAndMarks), country, (text, code) => {
        expect(toE164(text, code) ?? '+1234567').toMatch(/^\+[1-9]\d{3,14}$/)
      }),
      { numRuns: 300 },
    )
  })

  it('yields a form that stays as it is in every country', () => {
    const digits = fc
      .array(fc.integer({ min: 0, max: 9 }), { minLength: 7, maxLength: 14 })
      .map((list) => list.join(''))
    fc.assert(
      fc.property(fc.constantFrom('', '+', '00'), digits, country, country, (prefix, text, code, other) => {
        const number = toE164(prefix + text, code)
        if (number) expect(toE164(number, other)).toBe(number)
      }),
      { numRuns: 300 },
    )
  })

  it('finds the same number however it is written', () => {
    const subscriber = fc.integer({ min: 2_000_000, max: 9_999_999 }).map(String)
    const separator = fc.constantFrom('', ' ', '.', '-')
    fc.assert(
      fc.property(subscriber, separator, (digits, mark) => {
        const spaced = [digits.slice(0, 3), digits.slice(3, 5), digits.slice(5)].join(mark)
        const forms = [`031${mark}${spaced}`, `+41${mark}31${mark}${spaced}`, `0041${mark}31${mark}${spaced}`]
        const addresses = [`whatsapp:+4131${digits}`, `sip:+4131${digits}@pbx.example.com`, `4131${digits}`]
        for (const form of [...forms, ...addresses]) expect(toE164(form, 'CH')).toBe(`+4131${digits}`)
      }),
    )
  })
})

describe('one subscriber in several forms', () => {
  it.each([
    ['+525512345678', ['+525512345678', '+5215512345678']],
    ['+551187654321', ['+551187654321', '+5511987654321']],
    ['+5511987654321', ['+5511987654321', '+551187654321']],
    ['+551137654321', ['+551137654321']],
    ['+5491123456789', ['+5491123456789', '+541123456789']],
    ['+541123456789', ['+541123456789', '+5491123456789']],
    ['+2250707123456', ['+2250707123456', '+22507123456']],
    ['+2252520012345', ['+2252520012345', '+22520012345']],
    ['+2290197123456', ['+2290197123456', '+22997123456']],
    ['+41795550174', ['+41795550174']],
  ])('%s has the forms %j', (number, forms) => {
    expect(formsOfSubscriber(number)).toEqual(forms)
    expect(new Set(forms.map(conversationNumber)).size).toBe(1)
    expect(new Set(forms.map(asWrittenToday)).size).toBe(number.startsWith('+54') ? 2 : 1)
  })
})

it.each([
  ['079 123 45 6', 'CH', undefined],
  ['079 123 45 67', 'CH', '+41791234567'],
  ['06 698 1234', 'IT', '+39066981234'],
])('a number at home that lacks a digit is none, with its 0 or without: %s in %s', (text, country, e164) => {
  expect(toE164(text, country)).toBe(e164)
})
