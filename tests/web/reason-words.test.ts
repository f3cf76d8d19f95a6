// Why a delivery was rejected, refused or failed has German words on the page.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { wordReason } from '../../web/words/reason-words.ts'
import { refusalsIn } from '../support/refusal-sentences.ts'
import { readSources, root } from '../support/source-files.ts'

const german = JSON.parse(readFileSync(path.join(root, 'web/words/de/reasons.json'), 'utf8')) as Record<string, string>
/** Where it is said why somebody was not let in. */
const REJECTING =
  /^src\/(?:telco\/webhooks\/(?:explain-signature|signature-variants|explain|authentication)|deliveries\/tools\/agent-token|deliveries\/log\/explain|voiceai\/conversations\/post-call-(?:route|signature))\.ts$/
/** Where a voice agent is told why not. */
const TOOLS =
  /^src\/(?:(?:helpdesk|calendar|deliveries)\/tools|calendar\/(?:events|slots)|voiceai\/tools\/(?:create-partner|transfer-tool))/
const LITERAL =
  /(?:`((?:[^`\\]|\\.)*)`|'((?:[^'\\\n]|\\.)*)')(?: \+\n\s*(?:`((?:[^`\\]|\\.)*)`|'((?:[^'\\\n]|\\.)*)'))?/g
/** Said to the person who asks, and not of a delivery; and what is put together at another place. */
const OTHERS =
  /^(?:Explain|One delivery is|There is no (?:stored|delivery)|The delivery \{1\} was not|The log keeps only the beginning|\{1\} \{2\}$|select |interval|Post-call|Body too|Unauthorized|Takes |A post|The body could|Signed with the post-call|Not signed, or|Too large$|It could not be saved)|"calendar\.event/

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
const refusing = [...readSources((file) => TOOLS.test(file)).values()]
  .flatMap(refusalsIn)
  .filter((each) => !OTHERS.test(each))

describe('why a delivery ended as it did', () => {
  it('a sentence of why somebody is not let in has German words', () => {
    expect(rejecting.length).toBeGreaterThan(35)
    expect(rejecting.filter((each) => wordReason(each, german) === each)).toEqual([])
  })

  it('a sentence of why a voice agent is refused something has German words', () => {
    expect(refusing.length).toBeGreaterThan(20)
    expect(refusing.filter((each) => wordReason(each, german) === each)).toEqual([])
  })

  it('a remark on an address that is nearly right, or on what a tool could not read, has German words', () => {
    const say = (text: string) => wordReason(text, german)
    expect(
      say('The address has a double slash. The address has capital letters. Change it to /telco/x at the provider.'),
    ).toBe(
      'Die Adresse hat einen doppelten Schrägstrich. Die Adresse enthält Großbuchstaben. Ändern Sie sie beim Anbieter auf /telco/x.',
    )
    expect(say('The phone number could not be read, and was added to the description of the ticket.')).toBe(
      'Nicht lesbar, darum in die Beschreibung des Tickets übernommen: Telefonnummer.',
    )
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
    expect(say('Twilio calls an http:// address. Put https:// in the public address and sync with Twilio.')).toBe(
      'Twilio ruft eine http://-Adresse auf. Schreiben Sie https:// in die öffentliche Adresse, und gleichen Sie mit Twilio ab.',
    )
    expect(
      say(
        'With the current settings: The Auth token in the settings has spaces around it. Enter it again. Twilio calls a.example:8080. Add this port to the public address, or sync with Twilio.',
      ),
    ).toBe(
      'Mit den jetzigen Einstellungen: Das Auth-Token in den Einstellungen hat davor oder dahinter Leerzeichen. Tragen Sie es neu ein. Twilio ruft a.example:8080 auf. Ergänzen Sie diesen Port in der öffentlichen Adresse, oder gleichen Sie mit Twilio ab.',
    )
    expect(
      say(
        'The signature matches no address of /telco/webhook/callstatus. The Auth token in the settings does not belong to account AC1, Twilio calls another address than https://a.example/x, or a proxy changed the form. Webhook 7 was accepted with this Auth token, so this one is probably not from Twilio. Then nothing has to be changed.',
      ),
    ).toMatch(/^Die Signatur passt zu keiner Adresse von \/telco.* zu Konto AC1, .* Webhook 7 wurde/)
    expect(say('The sender is genuine, but Connect declined the request: Ticket not found')).toBe(
      'Der Absender ist echt, aber Connect hat die Anfrage abgelehnt: Ticket nicht gefunden',
    )
    expect(say('TypeError: it broke. Nobody knows.')).toBe('TypeError: it broke. Nobody knows.')
  })
})
