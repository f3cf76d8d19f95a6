// Why a delivery was rejected, refused or failed has German words on the page.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { wordReason } from '../../web/words/reason-words.ts'
import { readSources, root } from '../support/source-files.ts'

const german = JSON.parse(readFileSync(path.join(root, 'web/words/de/reasons.json'), 'utf8')) as Record<string, string>
/** Where it is said why somebody was not let in. */
const REJECTING =
  /^src\/(?:telco\/webhooks\/(?:explain-signature|signature-variants|explain|authentication)|deliveries\/tools\/agent-token|deliveries\/log\/explain|voiceai\/conversations\/post-call-(?:route|signature))\.ts$/
/** Where a voice agent is told why not. */
const TOOLS =
  /^src\/(?:(?:helpdesk|calendar|deliveries)\/tools|calendar\/(?:events|slots)|voiceai\/tools\/(?:create-partner|transfer-tool))/
const REFUSAL = /new (?:Tool)?Refusal\(\s*'[\w-]+',\s*(?:`((?:[^`\\]|\\.)*)`|'((?:[^'\\]|\\.)*)')/g
const LITERAL =
  /(?:`((?:[^`\\]|\\.)*)`|'((?:[^'\\\n]|\\.)*)')(?: \+\n\s*(?:`((?:[^`\\]|\\.)*)`|'((?:[^'\\\n]|\\.)*)'))?/g
/** Said to whoever asks, and not of a delivery; and what is put together at another place. */
const OTHERS =
  /^(?:Explain|One delivery is|There is no (?:logged|delivery)|The delivery \{1\} was not|The form of the delivery|\{1\} \{2\}$|select |interval|Post-call|Body too|Unauthorized|Takes |A post|The body could|Signed with the post-call|Not signed, or|Too large$|It could not be saved)|"calendar\.event/

const numbered = (text: string): string => {
  const parts = text.replaceAll("\\'", "'").split(/\$\{(?:[^{}]|\{[^{}]*\})*\}/)
  return parts.map((part, at) => (at === 0 ? part : `{${at}}${part}`)).join('')
}
const isSentence = (text: string): boolean => /[a-z}] [a-z{]/i.test(text) && !OTHERS.test(text)

const rejecting = [...readSources((file) => REJECTING.test(file)).values()].flatMap((text) => {
  const code = text
    .replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '')
    .replaceAll(/^import .*$/gm, '')
    .replaceAll(/sql`[^`]*`/g, '')
  return [...code.matchAll(LITERAL)]
    .map(([, a = '', b = '', c = '', d = '']) => numbered(a + b + c + d))
    .filter(isSentence)
})
const refusing = [...readSources((file) => TOOLS.test(file)).values()].flatMap((text) =>
  [...text.matchAll(REFUSAL)]
    .map(([, one, other]) => numbered(one ?? other ?? ''))
    .filter((each) => !OTHERS.test(each)),
)

describe('why a delivery ended as it did', () => {
  it('a sentence of why somebody is not let in has German words', () => {
    expect(rejecting.length).toBeGreaterThan(35)
    expect(rejecting.filter((each) => wordReason(each, german) === each)).toEqual([])
  })

  it('a sentence of why a voice agent is refused something has German words', () => {
    expect(refusing.length).toBeGreaterThan(20)
    expect(refusing.filter((each) => wordReason(each, german) === each)).toEqual([])
  })

  it('says in German what it says in English about the same things', () => {
    const placesOf = (text: string) => [...text.matchAll(/\{\d\}/g)].map(([place]) => place).toSorted()
    const strange = Object.entries(german).filter(([key, text]) => String(placesOf(key)) !== String(placesOf(text)))
    expect(strange).toEqual([])
  })

  it('German words are those of sentences that the service says', () => {
    const source = [...readSources((file) => /^src\/.*\.ts$/.test(file)).values()]
      .join()
      .replaceAll(/[`'] \+\n\s*[`']/g, '')
    const longestPart = (key: string) =>
      key.split(/\{\d\}/).reduce((longest, part) => (part.length > longest.length ? part : longest), '')
    expect(Object.keys(german).filter((key) => !source.includes(longestPart(key)))).toEqual([])
  })

  it('an explanation is put into other words sentence by sentence, and what is not known stays', () => {
    const say = (text: string) => wordReason(text, german)
    expect(
      say(
        'The provider calls an http:// address: put https:// in the public address (api_url) and push the addresses to the provider again (connect sync telco).',
      ),
    ).toBe(
      'Der Anbieter ruft eine http://-Adresse auf: in die öffentliche Adresse (api_url) https:// schreiben und die Adressen nochmals zum Anbieter schicken (connect sync telco).',
    )
    expect(
      say(
        'With the settings as they are now: The auth_token in the settings has blanks around it: enter it again. The provider calls a.example:8080: put this port in the public address (api_url), or push the addresses to the provider again.',
      ),
    ).toBe(
      'Mit den Einstellungen, wie sie jetzt sind: Das auth_token in den Einstellungen hat Leerzeichen davor oder dahinter: es neu eintragen. Der Anbieter ruft a.example:8080 auf: diesen Port in die öffentliche Adresse (api_url) schreiben oder die Adressen nochmals zum Anbieter schicken.',
    )
    expect(
      say(
        'The signature fits no address that /telco/webhook/callstatus may have been called at: the auth_token in the settings is not the one of account AC1, the provider calls another address than https://a.example/x (api_url), or the form was changed on its way here. Delivery 7 was accepted with this auth_token: most likely the address differs, or the form was changed.',
      ),
    ).toMatch(/^Die Signatur passt zu keiner Adresse, unter der \/telco.* von Konto AC1, .* Der Webhook 7 wurde/)
    expect(say('The sender was let in; what was asked was refused: Ticket not found')).toBe(
      'Der Absender wurde eingelassen; was er verlangte, wurde abgelehnt: Ticket nicht gefunden',
    )
    expect(say('TypeError: it broke. Nobody knows.')).toBe('TypeError: it broke. Nobody knows.')
  })
})
