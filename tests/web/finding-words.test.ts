// What the checks of the installation find has German words on the page.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { FOR_PEOPLE } from '../../src/refusals-for-people.ts'
import { wordFinding } from '../../web/words/finding-words.ts'
import { wordFix } from '../../web/words/fix-words.ts'
import { readSources, root } from '../support/source-files.ts'

const german = JSON.parse(readFileSync(path.join(root, 'web/words/de/findings.json'), 'utf8')) as Record<string, string>
/** The checks that run from the page; those of real accounts are for the command line. */
const CHECKS =
  /^src\/app\/checks\/(?:providers|public-address|records|rejected|service|signatures|trusted-proxy)\.ts$|^src\/app\/set-up\/check-address\.ts$|^src\/.*-remarks\.ts$|^src\/voiceai\/(?:workspace\/drift|agents\/agent-knowledge|.*-problems?)\.ts$|^src\/telco\/(?:sync\/problems|phone-users\/compare-phones)\.ts$|^src\/sync\/provider\.ts$|^src\/telco\/routing\/rehearsal\/caller-line\.ts$/
/** Declared resources say how what a provider holds differs, beside what is for the log and for statements. */
const RESOURCES = /^src\/(?:telco|voiceai)\/.*-resource\.ts$/
/** What a run with a provider says at its end, and how providers fail. */
const RUNS =
  /^src\/(?:sync\/(?:jobs|cancel-run|push)|telco\/sync\/(?:provider|readiness)|voiceai\/(?:workspace\/(?:provider|workspace)|client\/(?:provider-error|sdk-workspace)))\.ts$/
/** Refusals that stay with a run, or with what is not in sync, as sentences. */
const STORED_REFUSALS =
  /^(?:phone-(?:provider-(?:unreachable|silent|refused)|list-too-long)|account-at-phone-provider|(?:number|sender)-not-at-provider|number-on-trunk|set-region-its-calls-at-phone|sip-password-unknown|language-not-known-here|content-kind-not-known-here|voice-key-not-set|no-default-voice)$/
const WHOLE_SENTENCE = /^(?:[A-Z]|\{1\} ).*\.$/
/** Two sentences of which one becomes another, each with words of its own; and the halves of one that is written on two lines. */
const PUT_TOGETHER = /^\{1\} \{2\}$|are not among them: $|^none was removed\. If/
/** Said in places of others, or put together of parts. */
const OF_PARTS = [
  'queued',
  'running',
  'Differs from {1} in {2}.',
  '1 place',
  '{1} places',
  'Not in sync: {1}. {2}',
  'Stopped at "{1}", before anything was changed. Run it again.',
  'Stopped at "{1}", before anything that agents use was changed. Run it again.',
  '{1} and {2} others',
  '{1}: check the Account SID and the Auth Token in the settings.',
  'Twilio refused the credentials ({1})',
  'error {1}',
  'Twilio has no credentials',
  'The Account SID in the settings is not valid',
  'other work on {1} does not end',
  'ElevenLabs could not read the website ({1}).',
  'Run it again.',
  'It was cut off before it had ended. Run it again.',
  'The address is not one of ElevenLabs.',
  'connect sync telco',
  '“{1}”',
  ...['numbers', 'own numbers', 'verified caller IDs', 'WhatsApp senders', 'message templates'],
]
/** How the checks call a record whose remarks they tell. */
const KIND = /'connect\.[a-z_.]+': '([A-Z][^']*)'/g
const LITERAL = /(check: |: )?(?:`((?:[^`\\]|\\.)*)`|'((?:[^'\\\n]|\\.)*)')/g
/** Nothing to translate: commands, headers, and statements. */
const NO_SENTENCE = /^select |^connect [^.]*(?:\.\.\.[^.]*|\.[^ .]+\.[^ .]+)?$|^Bearer /

/** Texts of more than one word, with numbered places; the names of checks have words of their own. */
function sentencesIn(text: string): string[] {
  const code = text.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '').replaceAll(/^import .*$/gm, '')
  return [...code.matchAll(LITERAL)].flatMap(([, before, one, other]) => {
    const parts = (one ?? other ?? '').split(/\$\{[^{}]*\}/)
    const sentence = parts.map((part, at) => (at === 0 ? part : `{${at}}${part}`)).join('')
    const isSaid = before !== 'check: ' && /[a-z}] [a-z{]/i.test(sentence) && !NO_SENTENCE.test(sentence)
    return isSaid ? [sentence] : []
  })
}

const source = [...readSources((file) => CHECKS.test(file)).values()].join('\n')
const ofResources = [...readSources((file) => RESOURCES.test(file)).values()].join('\n')
const ofRuns = [...readSources((file) => RUNS.test(file)).values()].join('\n')
const ofStored = Object.entries(FOR_PEOPLE).flatMap(([code, sentence]) => {
  let place = 0
  return STORED_REFUSALS.test(code) ? [sentence.replaceAll(/\{\{\w+\}\}/g, () => `{${++place}}`)] : []
})
/** How steps of a run are called: what failed is named by them. */
const STEP = /\b(?:name|step): '([A-Za-z -]+)'/g
const steps = [...[...`${ofRuns}\n${ofResources}`.matchAll(STEP)].map(([, name = '']) => name)]
const kinds = [...source.matchAll(KIND)].map(([, kind = '']) => kind)
const said = [
  ...sentencesIn(source).filter(
    (sentence) => !kinds.includes(sentence) && !sentence.startsWith('{1} "{2}": ') && !PUT_TOGETHER.test(sentence),
  ),
  ...sentencesIn(ofResources).filter((sentence) => WHOLE_SENTENCE.test(sentence)),
  ...sentencesIn(ofRuns).filter((sentence) => WHOLE_SENTENCE.test(sentence) && !sentence.startsWith('Stopped at')),
  ...ofStored,
  ...steps,
  ...kinds.map((kind) => `${kind} "{1}": {2}`),
]

it('what is said of the webhook of the workspace names it in German', () => {
  expect(wordFinding('post-call webhook: Not found at ElevenLabs.', german)).toMatch(/^Webhook nach dem Gespräch: /)
  expect(wordFinding('Night desk: Not found at ElevenLabs.', german)).toMatch(/^Night desk: /)
})

it('every sentence of the checks has German words, about the same things', () => {
  expect(said.length).toBeGreaterThan(60)
  expect(said.filter((sentence) => german[sentence] === undefined)).toEqual([])
  const placesOf = (text: string) => [...text.matchAll(/\{\d\}/g)].map(([place]) => place).toSorted()
  const strange = Object.entries(german).filter(([key, text]) => String(placesOf(key)) !== String(placesOf(text)))
  expect(strange).toEqual([])
})

it('German sentences of checks are those that a check says', () => {
  const words = Object.keys(german).filter((key) => !said.includes(key) && !source.includes(`'${key}'`))
  const known = (key: string) =>
    OF_PARTS.includes(key) || /^(?:Twilio|ElevenLabs) (?:lists|has|no longer has) /.test(key)
  expect(words.filter((key) => !known(key))).toEqual([])
})

it('a finding is put into other words with what it is about, or stays as it is', () => {
  expect(wordFinding('https://a.example is not https', german)).toBe('https://a.example ist nicht https')
  expect(wordFinding('https://a.example cannot be reached from here: no route (a.example)', german)).toBe(
    'https://a.example ist von hier nicht erreichbar: no route (a.example)',
  )
  expect(wordFinding('3 text messages are not sent yet; the oldest says: it is on its way', german)).toBe(
    '3 Nachrichten sind noch nicht gesendet; die älteste sagt: sie ist unterwegs',
  )
  expect(wordFinding('Fix that, then: connect sync telco', german)).toBe('Das beheben, dann: Twilio abgleichen')
  expect(wordFinding('ElevenLabs has another prompt. Sync now.', german)).toBe(
    'ElevenLabs hat eine andere Anweisung. Jetzt abgleichen.',
  )
  expect(wordFinding('Differs from Twilio in 8 places.', german)).toBe('Weicht an 8 Stellen von Twilio ab.')
  expect(wordFinding('Night desk: It leads to another agent. Sync now.', german)).toBe(
    'Night desk: Es führt zu einem anderen Agenten. Jetzt abgleichen.',
  )
  expect(wordFinding('something else', german)).toBe('something else')
})

it('what is typed at the command line is not said on the page, in neither language', () => {
  const fixes = [
    ...said.filter((sentence) => /\bconnect [a-z]+ /.test(sentence)),
    'connect sync voiceai',
    'connect settings set auth_token',
    'Fix that, then: connect sync voiceai',
  ]
  expect(fixes.length).toBeGreaterThan(6)
  const told = [{}, german].flatMap((words) => fixes.map((fix) => wordFix(fix, words)))
  // A worker has no page, and the service is stopped while it is moved: both take a command line.
  const commands = told.filter((fix) => /\bconnect [a-z]+ /.test(fix) && !/connect (?:worker|move)/.test(fix))
  expect(commands).toEqual([])
  expect(wordFix('Fix that, then: connect sync voiceai', {})).toBe('Fix that, then sync the voice agents.')
})

it('each step of a call that is tried is told in German', () => {
  const steps = [
    ['5 s for one key or words, and nothing comes', '5 s auf eine Taste oder Worte, und nichts kommt'],
    ['5 s for any number of keys, and nothing comes', '5 s auf beliebig viele Tasten, und nichts kommt'],
    ['Here 3 keys would be taken, not “sales”.', 'Hier wird erwartet: 3 Tasten, nicht: „sales“.'],
    ['Nothing asked for the keys 7.', 'Danach fragte nichts: Tasten 7.'],
    ['web phone ann rings for 10 s; no one answers', 'Webtelefon ann klingelt 10 s; niemand nimmt ab'],
    ['after a tone, 120 s at most, and hangs up', 'nach einem Ton, höchstens 120 s, und legt auf'],
    ['after a tone, and hangs up', 'nach einem Ton, und legt auf'],
  ]
  expect(steps.map(([english = '']) => wordFinding(english, german))).toEqual(steps.map(([, words]) => words))
})

it('a run that failed says in German where and why, by the words of the steps', () => {
  const told = [
    [
      'Twilio refused the credentials (error 20003): check the Account SID and the Auth Token in the settings.',
      'Twilio nimmt die Zugangsdaten nicht an (Fehler 20003). Prüfen Sie die Account SID und das Auth-Token in den Einstellungen.',
    ],
    [
      'ElevenLabs does not accept the API key: Invalid API key.',
      'ElevenLabs nimmt den API-Schlüssel nicht an: Invalid API key.',
    ],
    [
      'Not in sync: tools, Night desk and 3 others. It is tried again by itself; it can also be run again.',
      'Nicht abgeglichen: Werkzeuge, Night desk und 3 weitere. Es wird von selbst noch einmal versucht; Sie können es auch selbst noch einmal starten.',
    ],
    [
      'Stopped at "connection", before anything was changed. Run it again.',
      'Angehalten bei „Verbindung“, bevor etwas geändert wurde. Starten Sie es noch einmal.',
    ],
  ]
  expect(told.map(([english = '']) => wordFinding(english, german))).toEqual(told.map(([, words]) => words))
})
