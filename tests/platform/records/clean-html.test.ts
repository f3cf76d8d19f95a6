import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { messageModel } from '../../../src/platform/chatter/chatter.ts'
import { textToHtml } from '../../../src/platform/chatter/text-to-html.ts'
import { withCleanHtml } from '../../../src/platform/records/clean-html.ts'

const cleanHtml = (body: string) => String(withCleanHtml(messageModel, { body }).body)

describe('HTML that somebody writes', () => {
  it.each([
    ['<p>Called <b>back</b></p>', '<p>Called <b>back</b></p>'],
    ['<script>alert(1)</script>Hi', 'Hi'],
    ['<img src=x onerror=alert(1)>Hi', 'Hi'],
    ['<p style="position:fixed" onclick="x()" class="o">Hi</p>', '<p>Hi</p>'],
    ['<svg><a href="javascript:alert(1)">x</a></svg>', '<a rel="noopener noreferrer" target="_blank">x</a>'],
    [
      '<a href="https://a.example/" target="_top">x</a>',
      '<a href="https://a.example/" rel="noopener noreferrer" target="_blank">x</a>',
    ],
    ['<a href=" java\nscript:alert(1)">x</a>', '<a rel="noopener noreferrer" target="_blank">x</a>'],
    ['<iframe srcdoc="<script>1</script>"></iframe><form><input></form>', ''],
    ['a < b & c', 'a &lt; b &amp; c'],
    ['<p><svg/onload=<p><p>', '<p></p><p></p><p></p>'],
  ])('%j becomes %j', (written, clean) => expect(cleanHtml(written)).toBe(clean))

  it('comes out the same a second time', () => {
    const parts = fc.constantFrom(
      '<p>',
      '</p>',
      '<a href="',
      '">',
      '<svg/onload=',
      '&lt;',
      '<!--',
      '-->',
      "'",
      'x',
      '<',
    )
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 30 }), (given) => {
        const once = cleanHtml(given.join(''))
        expect(cleanHtml(once)).toBe(once)
        expect(once).not.toMatch(/<(?:svg|script|img)|\son\w+=/i)
      }),
    )
  })
})

it('what the service makes of a text has nothing to be cleaned', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const made = textToHtml(`${text}\n<script>alert("1")</script>\n\n&amp;'`)
      const asText = made.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('<br>', '<br />')
      expect(cleanHtml(made)).toBe(asText)
    }),
  )
})
